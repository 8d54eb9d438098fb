import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test, type TestContext } from 'vitest';
import { callBackend, LOW_COST, SITE, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { sendDuringChange } from '../../../test/support/locked-account.ts';
import { skipWithout } from '../../../test/support/parts.ts';
import { createLogger } from '../../platform/http/logger.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import { hashPassword, OPERATOR } from './passwords.ts';
import { overwritePassword } from './user-queries.ts';

const LOW_LIMITS = { signInPerPerson: 10_000, signInPerAddress: 10_000, failuresPerHour: 4 };
const startLimited = (t: TestContext) =>
  startIdentityApp(t, { trustedProxies: ['127.0.0.1'], embedded: { limits: LOW_LIMITS, passwordCost: LOW_COST } });
const fromAddress = (at: number) => ({ 'x-forwarded-for': `192.0.2.${at + 1}` });

test('locks an account after its failures until the window ends', async () => {
  let time = 0;
  const failures = createRateLimiter({ limit: 3, windowMs: 60_000, maxKeys: 2, now: () => time });
  const getLockSeconds = (account: string): number => {
    const next = failures.peek(account);
    return next.ok ? 0 : next.retryAfter;
  };
  for (let i = 0; i < 2; i += 1) failures.consume('ann');
  assert.equal(getLockSeconds('ann'), 0);
  time = 10_000;
  failures.consume('ann');
  assert.equal(getLockSeconds('ann'), 50);
  assert.equal(getLockSeconds('bob'), 0);
  time = 60_000;
  assert.equal(getLockSeconds('ann'), 0);
  for (let i = 0; i < 3; i += 1) failures.consume('ann');
  failures.reset('ann');
  assert.equal(getLockSeconds('ann'), 0);
  for (const account of ['ann', 'ann', 'ann', 'bob', 'eve']) failures.consume(account);
  assert.equal(getLockSeconds('ann'), 0, 'the oldest is forgotten when there are too many');
});

test('rejects the right password too after too many wrong ones', async (t) => {
  const { url } = await startIdentityApp(t, {
    embedded: { limits: { signInPerPerson: 10_000, signInPerAddress: 10_000, failuresPerHour: 4 } },
  });
  const { email, password } = await new TestBrowser(url).signUp();
  const attempt = (identifier: string, guess: string) =>
    new TestBrowser(url).call('POST', '/client/sign_ins', { identifier, password: guess });
  for (let i = 0; i < 3; i += 1) await attempt(email, 'wrong horse');
  assert.equal((await attempt(email, password)).status, 200, 'a success begins the count anew');
  const knownAddressTimes = [];
  const unknownAddressTimes = [];
  for (let i = 0; i < 5; i += 1) {
    knownAddressTimes.push((await attempt(email, 'wrong horse')).status);
    unknownAddressTimes.push((await attempt('nobody@example.com', 'wrong horse')).status);
  }
  assert.deepEqual(knownAddressTimes, [422, 422, 422, 422, 429]);
  assert.deepEqual(unknownAddressTimes, knownAddressTimes, 'an unknown account locks alike');
  const rejected = await attempt(email, password);
  assert.equal(rejected.status, 429);
  assert.ok(Number(rejected.headers.get('retry-after')) > 3_000);
});

test('compares no more wrong passwords than the limit when 50 arrive at once', async (t) => {
  // Hashes of the cost of production, which take longer than the requests need to arrive.
  const { url } = await startIdentityApp(t, { trustedProxies: ['127.0.0.1'], embedded: { limits: LOW_LIMITS } });
  const { email, password } = await new TestBrowser(url).signUp();
  const guess = (attempt: string, at: number) =>
    new TestBrowser(url).call('POST', '/client/sign_ins', { identifier: email, password: attempt }, fromAddress(at));
  const guesses = await Promise.all(Array.from({ length: 50 }, (_, at) => guess('wrong horse', at)));
  const count = (status: number) => guesses.filter((answer) => answer.status === status).length;
  assert.deepEqual([count(422), count(429)], [4, 46]);
  assert.equal((await guess(password, 50)).status, 429);
});

for (const [path, limit] of [
  ['sign_ins', 'signInPerAddress'],
  ['sign_ins', 'signInPerAddressAndDay'],
  ['sign_ups', 'signUpPerAddress'],
] as const)
  test(`returns 429 beyond ${limit} before the body of ${path} is read`, async (t) => {
    const { url } = await startIdentityApp(t, { embedded: { limits: { [limit]: 2 } } });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) {
      const headers = { 'content-type': 'application/json', origin: SITE };
      statuses.push((await fetch(`${url}/_idp/v1/client/${path}`, { method: 'POST', headers, body: '{' })).status);
    }
    assert.deepEqual(statuses, [400, 400, 429]);
  });

test('locks the change of a password after too many wrong guesses from any address', async (t) => {
  const { url } = await startLimited(t);
  const browser = new TestBrowser(url);
  const { password } = await browser.signUp();
  const change = (current_password: string, at: number) =>
    browser.call('POST', '/me/change_password', { current_password, new_password: 'a new password' }, fromAddress(at));
  const statuses = [];
  for (let at = 0; at < 5; at += 1) statuses.push((await change('wrong horse', at)).status);
  assert.deepEqual(statuses, [422, 422, 422, 422, 429]);
  const rejected = await change(password, 5);
  assert.equal(rejected.status, 429);
  assert.ok(Number(rejected.headers.get('retry-after')) > 3_000);
});

test('resets the count of a password change when the password is right', async (t) => {
  const { url } = await startLimited(t);
  const browser = new TestBrowser(url);
  let { password } = await browser.signUp();
  const change = async (current_password: string, new_password = 'a new password') =>
    (await browser.call('POST', '/me/change_password', { current_password, new_password })).status;
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 3; i += 1) assert.equal(await change('wrong horse'), 422);
    const next = `a new password ${round}`;
    assert.equal(await change(password, next), 200);
    password = next;
  }
});

test('signs in a known browser while guesses from elsewhere lock the account', async (t) => {
  const { url } = await startLimited(t);
  const ownBrowser = new TestBrowser(url);
  const { email, password, sessionId } = await ownBrowser.signUp();
  assert.equal((await ownBrowser.call('POST', `/client/sessions/${sessionId}/end`, {})).status, 200);
  const signIn = async (browser: TestBrowser, guess: string, at = 0) =>
    (await browser.call('POST', '/client/sign_ins', { identifier: email, password: guess }, fromAddress(at))).status;
  for (let at = 0; at < 4; at += 1) assert.equal(await signIn(new TestBrowser(url), 'wrong horse', at), 422);
  assert.equal(await signIn(new TestBrowser(url), password, 9), 429, 'an unknown browser is locked out');

  const otherBrowser = new TestBrowser(url);
  const other = await otherBrowser.signUp();
  await otherBrowser.call('POST', `/client/sessions/${other.sessionId}/end`, {});
  assert.equal(
    await signIn(otherBrowser, password),
    429,
    'a browser that knows another account is unknown to this one',
  );
  const forged = new TestBrowser(url);
  forged.cookie = ownBrowser.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  assert.equal(await signIn(forged, password), 429, 'a forged cookie');

  assert.equal(await signIn(ownBrowser, password), 200, 'the known browser signs in');
  assert.equal(await signIn(new TestBrowser(url), password, 10), 429, 'which lets no other browser in');
});

test('counts the failures of each known browser separately', async (t) => {
  const { url } = await startLimited(t);
  const ownBrowser = new TestBrowser(url);
  const second = new TestBrowser(url);
  const { email, password, sessionId } = await ownBrowser.signUp();
  const signIn = (browser: TestBrowser, guess: string) =>
    browser.call('POST', '/client/sign_ins', { identifier: email, password: guess });
  const { created_session_id: secondId } = (await signIn(second, password)).body.response;
  await second.call('POST', `/client/sessions/${secondId}/end`, {});
  await ownBrowser.call('POST', `/client/sessions/${sessionId}/end`, {});
  for (const expected of [422, 422, 422, 422, 429])
    assert.equal((await signIn(ownBrowser, 'wrong horse')).status, expected);
  assert.equal((await signIn(ownBrowser, password)).status, 429);
  assert.equal((await signIn(second, password)).status, 200, 'another known browser');
  assert.equal((await signIn(new TestBrowser(url), password)).status, 200, 'an unknown one');
});

test('counts guesses of earlier known browsers together after a password change', async (t) => {
  const { url } = await startLimited(t);
  const ownBrowser = new TestBrowser(url);
  const { email, password, sessionId } = await ownBrowser.signUp();
  const otherBrowsers = [new TestBrowser(url), new TestBrowser(url)];
  const signIn = (browser: TestBrowser, guess: string) =>
    browser.call('POST', '/client/sign_ins', { identifier: email, password: guess });
  for (const other of otherBrowsers) assert.equal((await signIn(other, password)).status, 200);
  const fields = { current_password: password, new_password: 'a new password' };
  assert.equal((await ownBrowser.call('POST', '/me/change_password', fields)).status, 200);

  const guesses = [];
  for (let i = 0; i < 5; i += 1) guesses.push((await signIn(otherBrowsers[i % 2]!, 'wrong horse')).status);
  assert.deepEqual(guesses, [422, 422, 422, 422, 429]);
  await ownBrowser.call('POST', `/client/sessions/${sessionId}/end`, {});
  assert.equal((await signIn(ownBrowser, 'a new password')).status, 200, 'the browser that changed it stays known');
});

test('starts no session when the password changes during the check', async (t) => {
  const { url, owner, database } = await startLimited(t);
  const { email, userId, password } = await new TestBrowser(url).signUp();
  const replaced = await hashPassword('a new password', OPERATOR, { cost: LOW_COST });
  const before = await owner<{ count: number }>('select count(*)::int as count from idp.sessions');
  const signIn = () => new TestBrowser(url).call('POST', '/client/sign_ins', { identifier: email, password });
  // The attempt waits for the row after it has compared the password with the old hash.
  const late = await sendDuringChange({ database, owner }, userId, signIn, (sql) =>
    overwritePassword(sql, userId, replaced),
  );
  assert.equal(late.status, 422);
  assert.deepEqual(await owner('select count(*)::int as count from idp.sessions'), before);
});

const FILTER = fileURLToPath(new URL('../../../deploy/fail2ban/tally.conf', import.meta.url));

/** Returns the log lines of failed sign-ins from two addresses. */
async function logFailures(t: TestContext): Promise<string[]> {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => lines.push(line) });
  const { url } = await startIdentityApp(t, {
    logger,
    trustedProxies: ['127.0.0.1'],
    embedded: { passwordCost: LOW_COST },
  });
  const attempt = { identifier: 'nobody@example.com', password: 'wrong horse' };
  await new TestBrowser(url).call('POST', '/client/sign_ins', attempt, { 'x-forwarded-for': '192.0.2.9' });
  await new TestBrowser(url).call('POST', '/client/sign_ins', attempt, { 'x-forwarded-for': '2001:db8::9' });
  return lines;
}

test('logs the address of a failed sign-in as the filter of fail2ban reads it', async (t) => {
  const lines = await logFailures(t);
  const filter = readFileSync(FILTER, 'utf8');
  const pattern = /^failregex = (.*)$/m.exec(filter)![1]!.replace('<HOST>', '([0-9a-f.:]+)');
  assert.deepEqual(
    lines.map((line) => new RegExp(pattern).exec(line)?.[1]),
    ['192.0.2.9', '2001:db8::9'],
  );
  assert.doesNotMatch(lines.join(''), /nobody|horse/);
});

test('logs a failed sign-in with the time and address that fail2ban finds', { tags: ['slow'] }, async (t) => {
  skipWithout(t, 'fail2ban-regex');
  const folder = mkdtempSync(join(tmpdir(), 'tally-fail2ban-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'log');
  writeFileSync(file, (await logFailures(t)).join(''));

  // The program splits a path at its spaces.
  const filter = join(folder, 'tally.conf');
  copyFileSync(FILTER, filter);

  const output = execFileSync('fail2ban-regex', [file, filter], { encoding: 'utf8' });

  assert.match(output, /^Lines: 2 lines, 0 ignored, 2 matched, 0 missed/m);
  assert.match(output, /Date template hits:[^]*\[2\]/);
});

test('limits the sessions that one user starts on a day', async (t) => {
  // The limit of a day is fifty times that of ten seconds.
  const { url } = await startIdentityApp(t, {
    embedded: { passwordCost: LOW_COST, limits: { signInPerPerson: 1, signInPerAddress: 10_000 } },
  });
  const { userId } = await new TestBrowser(url).signUp();
  const { userId: otherId } = await new TestBrowser(url).signUp();
  const signIn = async (id: string) => {
    const { token } = (await callBackend(url, 'POST', '/sign_in_tokens', { user_id: id })).body;
    return (await new TestBrowser(url).call('POST', '/client/sign_ins', { strategy: 'ticket', ticket: token })).status;
  };
  for (let count = 1; count < 50; count += 1) assert.equal(await signIn(userId), 200);
  assert.equal(await signIn(userId), 429);
  assert.equal(await signIn(otherId), 200);
});
