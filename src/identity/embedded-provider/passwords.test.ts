import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a hash knows its password and no other', async () => {
  const hash = await hashPassword('correct horse');
  assert.notEqual(hash, await hashPassword('correct horse'), 'each has a salt of its own');
  assert.equal(await verifyPassword('correct horse', hash), true);
  for (const wrong of ['correct horsf', 'Correct horse', 'correct horse ', '', 'x'.repeat(100_000)])
    assert.equal(await verifyPassword(wrong, hash), false);
  for (const none of [null, '', 'plain', hash.slice(0, -1), hash.replace('argon2id', 'argon2i')])
    assert.equal(await verifyPassword('correct horse', none), false);
});

test('the same characters typed another way are the same password', async () => {
  assert.equal(await verifyPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait')), true);
});

test('a hash of the reference implementation is understood', async () => {
  // A vector of phc-winner-argon2's own tests: 256 KiB, 2 passes, 1 lane.
  const known = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  assert.equal(await verifyPassword('password', known), true);
  assert.equal(await verifyPassword('passwore', known), false);
});

test('a flood of sign-ins is refused before it fills the memory', async () => {
  const hash = await hashPassword('correct horse');
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => verifyPassword('correct horse', hash)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.equal(refused.length, 60 - 2 - 50);
  for (const { reason } of refused) assert.deepEqual([reason.status, reason.more.retryAfter], [503, 1]);
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') assert.equal(outcome.value, true);
  assert.equal(await verifyPassword('correct horse', hash), true, 'afterwards all is as before');
});
