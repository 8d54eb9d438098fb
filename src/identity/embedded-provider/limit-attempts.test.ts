import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { createRateLimiter } from '../../http/rate-limit.ts';

test('an account locks after its failures and opens when the window is over', async () => {
  let time = 0;
  const failures = createRateLimiter({ limit: 3, windowMs: 60_000, maxKeys: 2, now: () => time });
  const lockedFor = (account: string): number => {
    const next = failures.look(account);
    return next.ok ? 0 : next.retryAfter;
  };
  for (let i = 0; i < 2; i += 1) failures.take('ann');
  assert.equal(lockedFor('ann'), 0);
  time = 10_000;
  failures.take('ann');
  assert.equal(lockedFor('ann'), 50);
  assert.equal(lockedFor('bob'), 0);
  time = 60_000;
  assert.equal(lockedFor('ann'), 0);
  for (let i = 0; i < 3; i += 1) failures.take('ann');
  failures.forget('ann');
  assert.equal(lockedFor('ann'), 0);
  for (const account of ['ann', 'ann', 'ann', 'bob', 'eve']) failures.take(account);
  assert.equal(lockedFor('ann'), 0, 'the oldest is forgotten when there are too many');
});

test('too many wrong guesses lock an account against the right one too', async (t) => {
  const { url } = await startIdentityApp(t, {
    embedded: { limits: { signInPerPerson: 10_000, signInPerAddress: 10_000, failuresPerHour: 4 } },
  });
  const { email, password } = await new TestBrowser(url).signUp();
  const attempt = (identifier: string, guess: string) =>
    new TestBrowser(url).call('POST', '/client/sign_ins', { identifier, password: guess });
  for (let i = 0; i < 3; i += 1) await attempt(email, 'wrong horse');
  assert.equal((await attempt(email, password)).status, 200, 'a success begins the count anew');
  const known = [];
  const unknown = [];
  for (let i = 0; i < 5; i += 1) {
    known.push((await attempt(email, 'wrong horse')).status);
    unknown.push((await attempt('nobody@example.com', 'wrong horse')).status);
  }
  assert.deepEqual(known, [422, 422, 422, 422, 429]);
  assert.deepEqual(unknown, known, 'an unknown account locks alike');
  const refused = await attempt(email, password);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 3_000);
});

for (const [path, limit] of [
  ['sign_ins', 'signInPerAddress'],
  ['sign_ups', 'signUpPerAddress'],
] as const)
  test(`answers 429 by address before the body of ${path} is read`, async (t) => {
    const { url } = await startIdentityApp(t, { embedded: { limits: { [limit]: 2 } } });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) {
      const headers = { 'content-type': 'application/json', origin: SITE };
      statuses.push((await fetch(`${url}/_idp/v1/client/${path}`, { method: 'POST', headers, body: '{' })).status);
    }
    assert.deepEqual(statuses, [400, 400, 429]);
  });
