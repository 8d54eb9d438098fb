// @module-tag slow
import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { LOW_COST, createEmail, sendRequest, startIdentityApp, TestBrowser } from './support/identity.ts';
import { startService, type TestService } from './support/service.ts';

const LIMIT = 3;
const LIMIT_PER_MINUTE = { '/mcp': 30, '/api/operator/revenue': 20 };

let service: TestService;
beforeAll(async () => {
  service = await startService({
    TRUSTED_PROXIES: '127.0.0.1',
    REFERRAL_RATE_LIMITS: `1000,${LIMIT},10000`,
    DEMO_ACCESS_RATE_LIMIT: String(LIMIT),
  });
});
afterAll(() => service.stop());

/** Returns addresses of one client: interfaces of one /64, each in a different notation. */
const getNetwork = (at: number) => [
  (host: number) => `2001:db8:0:${at}::${host.toString(16)}`,
  (host: number) => `2001:0DB8:0000:${at}:FFFF:0:0:${host.toString(16)}`,
  (host: number) => `[2001:db8::${at}:0:0:${host.toString(16)}:1]`,
];
const getAddresses = (at: number, count: number): string[] =>
  Array.from({ length: count }, (_, host) => getNetwork(at)[host % 3]!(host + 1));

type Limited = [method: string, path: string, body: object | undefined, limit: number];

const routes: Limited[] = [
  ['GET', '/api/referrals/validate-referrer?ref=ABCDEFGHJKLM', undefined, LIMIT],
  ['POST', '/api/referrals/track-signup', { referred_idp_id: 'user_a', referrer_idp_id: 'user_b' }, LIMIT],
  ['POST', '/api/referrals/mark-completed', { referred_idp_id: 'user_a' }, LIMIT],
  ['GET', '/api/internal/demo-access', undefined, LIMIT],
  ['POST', '/api/demo-access/complete', { invitation_id: 'a', ticket: 'b' }, LIMIT],
  ['GET', '/api/operator/revenue', undefined, LIMIT_PER_MINUTE['/api/operator/revenue']],
  ['POST', '/mcp', {}, LIMIT_PER_MINUTE['/mcp']],
];

test('counts all addresses of an IPv6 /64 as one on each route with a limit per address', async () => {
  for (const [at, [method, path, body, limit]] of routes.entries()) {
    const call = async (from: string) =>
      (await sendRequest(service.url + path, method, body, { 'x-forwarded-for': from })).status;
    for (const from of getAddresses(at, limit)) assert.notEqual(await call(from), 429, `${path} ${from}`);
    for (const from of getAddresses(at, LIMIT)) assert.equal(await call(from), 429, `${path} ${from}`);
    assert.notEqual(await call(`2001:db8:0:f${at}::1`), 429, `${path} from the next network`);
  }
});

test('counts an IPv4 address mapped into IPv6 as the IPv4 address', async () => {
  const call = async (from: string) =>
    (
      await sendRequest(`${service.url}/api/referrals/validate-referrer?ref=ABCDEFGHJKLM`, 'GET', undefined, {
        'x-forwarded-for': from,
      })
    ).status;
  for (const from of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207']) assert.notEqual(await call(from), 429, from);
  for (const from of ['192.0.2.7', '::ffff:192.0.2.7']) assert.equal(await call(from), 429, from);
  for (const from of ['192.0.2.8', '::ffff:192.0.2.9']) assert.notEqual(await call(from), 429, from);
});

test('counts all addresses of an IPv6 /64 as one for sign-up, sign-in and password change', async (t) => {
  const start = (limits: object) =>
    startIdentityApp(t, { trustedProxies: ['127.0.0.1'], embedded: { limits, passwordCost: LOW_COST } });
  const highLimits = {
    signInPerPerson: 1_000,
    signInPerAddress: 1_000,
    signUpPerAddress: 1_000,
    failuresPerHour: 1_000,
  };
  const collectStatuses = async (call: (headers: Record<string, string>) => Promise<{ status: number }>) => {
    const found = [];
    for (const from of getAddresses(1, LIMIT + 1)) found.push((await call({ 'x-forwarded-for': from })).status);
    return found;
  };
  const signUps = await start({ ...highLimits, signUpPerAddress: LIMIT });
  const createSignUpForm = () => ({ email_address: createEmail(), password: 'correct horse battery' });
  const signUp = (headers: object) =>
    new TestBrowser(signUps.url).call('POST', '/client/sign_ups', createSignUpForm(), { ...headers });
  assert.deepEqual(await collectStatuses(signUp), [200, 200, 200, 429]);

  const addresses = await start({ ...highLimits, signInPerAddress: LIMIT });
  const guessPassword = (headers: object) =>
    new TestBrowser(addresses.url).call(
      'POST',
      '/client/sign_ins',
      { identifier: createEmail(), password: 'wrong horse' },
      { ...headers },
    );
  assert.deepEqual(await collectStatuses(guessPassword), [422, 422, 422, 429]);
  const tickets = await start({ ...highLimits, signInPerAddress: LIMIT });
  const redeem = (headers: object) =>
    new TestBrowser(tickets.url).call(
      'POST',
      '/client/sign_ins',
      { strategy: 'ticket', ticket: 'none' },
      { ...headers },
    );
  assert.deepEqual(await collectStatuses(redeem), [400, 400, 400, 429]);

  const people = await start({ ...highLimits, signInPerPerson: LIMIT });
  const browser = new TestBrowser(people.url);
  const { email } = await browser.signUp();
  const guessAtBrowser = (headers: object) =>
    new TestBrowser(people.url).call(
      'POST',
      '/client/sign_ins',
      { identifier: email, password: 'wrong horse' },
      { ...headers },
    );
  assert.deepEqual(await collectStatuses(guessAtBrowser), [422, 422, 422, 429]);
  const other = new TestBrowser(people.url);
  await other.signUp();
  const change = { current_password: 'wrong horse', new_password: 'a new password' };
  assert.deepEqual(
    await collectStatuses((headers) => other.call('POST', '/me/change_password', change, headers)),
    [422, 422, 422, 429],
  );
});
