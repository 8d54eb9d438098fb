import assert from 'node:assert/strict';
import { test } from 'vitest';
import { callBackend, LOW_COST, createEmail, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import {
  HASH_RANKS,
  type HashOwner,
  hashPassword as hashFor,
  OPERATOR,
  verifyPassword as verifyFor,
} from './passwords.ts';

const hashPassword = (password: string) => hashFor(password, OPERATOR);
const verifyPassword = (password: string, hash: string | null, owner: HashOwner = OPERATOR) =>
  verifyFor(password, hash, owner);
const toUnknownAddress = (address: number): HashOwner => ({ owner: `192.0.2.${address}`, rank: HASH_RANKS.unknown });

test('matches a hash only with its own password', { tags: ['slow'] }, async () => {
  const hash = await hashPassword('correct horse');
  assert.notEqual(hash, await hashPassword('correct horse'), 'each has a salt of its own');
  assert.equal(await verifyPassword('correct horse', hash), true);
  for (const wrong of ['correct horsf', 'Correct horse', 'correct horse ', '', 'x'.repeat(100_000)])
    assert.equal(await verifyPassword(wrong, hash), false);
  for (const invalidHash of [null, '', 'plain', hash.slice(0, -1), hash.replace('argon2id', 'argon2i')])
    assert.equal(await verifyPassword('correct horse', invalidHash), false);
});

test('treats different encodings of equal characters as one password', async () => {
  assert.equal(await verifyPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait')), true);
});

test('verifies a hash of the reference implementation', async () => {
  // A vector of phc-winner-argon2's own tests: 256 KiB, 2 passes, 1 lane.
  const knownHash = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  assert.equal(await verifyPassword('password', knownHash), true);
  assert.equal(await verifyPassword('passwore', knownHash), false);
});

test('rejects a flood of sign-ins before it fills the memory', async () => {
  const hash = await hashFor('correct horse', OPERATOR, { cost: LOW_COST });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => verifyPassword('correct horse', hash, toUnknownAddress(index % 30))),
  );
  const rejectedHashes = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.equal(rejectedHashes.length, 60 - 1 - 50);
  for (const { reason } of rejectedHashes) assert.deepEqual([reason.status, reason.details.retryAfter], [503, 1]);
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') assert.equal(outcome.value, true);
  assert.equal(await verifyPassword('correct horse', hash), true, 'afterwards all is as before');
});

test('limits the places of one address to half of the queue', async () => {
  const hash = await hashFor('correct horse', OPERATOR, { cost: LOW_COST });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, () => verifyPassword('correct horse', hash, toUnknownAddress(1))),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 30 - 1 - 25);
});

test('serves a known browser before unknown addresses when their queue is full', async () => {
  const hash = await hashPassword('correct horse');
  let finished = 0;
  const others = Array.from({ length: 60 }, (_, index) =>
    verifyPassword('correct horse', hash, toUnknownAddress(index)).then(
      () => {
        finished += 1;
      },
      () => {},
    ),
  );
  assert.equal(await verifyPassword('correct horse', hash, { owner: 'device', rank: HASH_RANKS.known }), true);
  // A few may end beside it in the other slot.
  assert.ok(finished < 20, `${finished} others were served before`);
  await Promise.all(others);
});

test('serves an unknown address before addresses with many hashes when their queue is full', async () => {
  const hash = await hashPassword('correct horse');
  let finished = 0;
  const frequent = Array.from({ length: 60 }, (_, index) =>
    verifyPassword('correct horse', hash, { ...toUnknownAddress(index), rank: HASH_RANKS.frequent }).then(
      () => {
        finished += 1;
      },
      () => {},
    ),
  );
  assert.equal(await verifyPassword('correct horse', hash, toUnknownAddress(100)), true);
  // The one that was running ends before it.
  assert.ok(finished <= 1, `${finished} were served before`);
  await Promise.all(frequent);
});

const weak: [what: string, password: string][] = [
  ['eight spaces', ' '.repeat(8)],
  ['blanks of other kinds', '\u00a0\u2003\u3000\t \u200b\u2060\u00ad'],
  ['one character repeated', 'zzzzzzzzzz'],
  ['the address', 'ada.lovelace+tally@example.com'],
  ['the address in capitals', 'ADA.Lovelace+Tally@Example.COM'],
  ['the address between blanks', '  ada.lovelace+tally@example.com '],
  ['the address in full-width letters', '\uff41da.lovelace+tally@example.com'],
  ['the part before the @', 'Ada.Lovelace+tally'],
  ['that part without its tag', 'ada.lovelace'],
];

test('rejects a blank password and the own address in every way to set one', async (t) => {
  const { url } = await startIdentityApp(t);
  const email = 'Ada.Lovelace+tally@example.com';
  const signUp = (password: string) =>
    new TestBrowser(url).call('POST', '/client/sign_ups', { email_address: email, password });
  const create = (password: string) => callBackend(url, 'POST', '/users', { email_address: [email], password });
  for (const [what, password] of weak)
    for (const answer of [await signUp(password), await create(password)]) {
      const [error] = answer.body.errors;
      assert.deepEqual(
        [answer.status, error.code, error.meta.param_name],
        [422, 'form_password_not_strong_enough', 'password'],
        what,
      );
    }
  const browser = new TestBrowser(url);
  await browser.signUp(email);
  for (const [what, new_password] of weak) {
    const change = { current_password: 'correct horse battery', new_password };
    const answer = await browser.call('POST', '/me/change_password', change);
    assert.deepEqual([answer.status, answer.body.errors[0].code], [422, 'form_password_not_strong_enough'], what);
  }
  const phrase = 'ada.lovelace likes engines';
  const change = { current_password: 'correct horse battery', new_password: phrase };
  assert.equal((await browser.call('POST', '/me/change_password', change)).status, 200, 'a phrase that holds it');
});

test('accepts any password of valid length when an operator skips the checks', async (t) => {
  const { url } = await startIdentityApp(t, { embedded: { passwordCost: LOW_COST } });
  const person = { email_address: [createEmail()], password: ' '.repeat(8), skip_password_checks: true };
  assert.equal((await callBackend(url, 'POST', '/users', person)).status, 200);
});
