// @module-tag slow
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test, type TestContext } from 'vitest';
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

test('counts addresses of an IPv6 /64 as one on each route with a limit per address', async () => {
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

describe('the embedded identity provider counts all addresses of an IPv6 /64 as one', () => {
  const HIGH_LIMITS = {
    signInPerPerson: 1_000,
    signInPerAddress: 1_000,
    signUpPerAddress: 1_000,
    failuresPerHour: 1_000,
  };
  const start = (t: TestContext, limits: Partial<typeof HIGH_LIMITS>) =>
    startIdentityApp(t, {
      trustedProxies: ['127.0.0.1'],
      embedded: { limits: { ...HIGH_LIMITS, ...limits }, passwordCost: LOW_COST },
    });
  /** Returns the statuses of one more call than the limit allows, each from another address of the /64. */
  const collectStatuses = async (call: (headers: Record<string, string>) => Promise<{ status: number }>) => {
    const statuses = [];
    for (const from of getAddresses(1, LIMIT + 1)) statuses.push((await call({ 'x-forwarded-for': from })).status);
    return statuses;
  };

  test('for sign-ups', async (t) => {
    const { url } = await start(t, { signUpPerAddress: LIMIT });

    const statuses = await collectStatuses((headers) => {
      const form = { email_address: createEmail(), password: 'correct horse battery' };
      return new TestBrowser(url).call('POST', '/client/sign_ups', form, headers);
    });

    assert.deepEqual(statuses, [200, 200, 200, 429]);
  });

  test('for sign-ins with passwords', async (t) => {
    const { url } = await start(t, { signInPerAddress: LIMIT });

    const statuses = await collectStatuses((headers) => {
      const form = { identifier: createEmail(), password: 'wrong horse' };
      return new TestBrowser(url).call('POST', '/client/sign_ins', form, headers);
    });

    assert.deepEqual(statuses, [422, 422, 422, 429]);
  });

  test('for sign-ins with tickets', async (t) => {
    const { url } = await start(t, { signInPerAddress: LIMIT });

    const statuses = await collectStatuses((headers) =>
      new TestBrowser(url).call('POST', '/client/sign_ins', { strategy: 'ticket', ticket: 'none' }, headers),
    );

    assert.deepEqual(statuses, [400, 400, 400, 429]);
  });

  test('for sign-ins to one account', async (t) => {
    const { url } = await start(t, { signInPerPerson: LIMIT });
    const { email } = await new TestBrowser(url).signUp();

    const statuses = await collectStatuses((headers) => {
      const form = { identifier: email, password: 'wrong horse' };
      return new TestBrowser(url).call('POST', '/client/sign_ins', form, headers);
    });

    assert.deepEqual(statuses, [422, 422, 422, 429]);
  });

  test('for changes of a password', async (t) => {
    const { url } = await start(t, { signInPerPerson: LIMIT });
    const browser = new TestBrowser(url);
    await browser.signUp();

    const form = { current_password: 'wrong horse', new_password: 'a new password' };
    const statuses = await collectStatuses((headers) => browser.call('POST', '/me/change_password', form, headers));

    assert.deepEqual(statuses, [422, 422, 422, 429]);
  });
});
