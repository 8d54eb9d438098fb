import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { sendRequest, SITE } from '../../../test/support/identity.ts';
import { type ReferralApp, startReferralApp } from '../../../test/support/referrals.ts';
import { createScope } from '../../../test/support/test-scope.ts';

const RATES = { perIdentifier: 10, perAddress: 30, total: 600 };
const scope = createScope();
let app: ReferralApp;
beforeAll(async () => {
  app = await startReferralApp(scope);
});
afterAll(() => scope.end());

async function read(path: string, authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  const response = await sendRequest(`${app.url}/api/referrals/${path}`, 'GET', undefined, headers);
  assertDocumented('GET', `/api/referrals/${path}`, response, headers);
  return response;
}

test('returns one link per member on every call', async () => {
  const { link, authorization } = await app.addReferrer();
  const { status, body, headers } = await read('get-link', authorization);
  assert.equal(status, 200);
  assert.deepEqual(body, { referral_link: link, url: `${SITE}/sign-up?ref=${link}` });
  assert.equal(headers.get('cache-control'), 'no-store');
});

test('returns the member’s own figures in total with those by month', async () => {
  const { id, link, authorization } = await app.addReferrer();
  const emptyStats = { total_signups: 0, completed_referrals: 0 };
  assert.deepEqual((await read('stats', authorization)).body, emptyStats);
  const people = [await app.addPerson(), await app.addPerson(), await app.addPerson({ hours: 24 * 400 })];
  for (const person of people) assert.equal(await app.deliverUserCreated(person, link), 200);
  await app.connect(people[1]!);
  assert.deepEqual((await read('stats', authorization)).body, { total_signups: 3, completed_referrals: 1 });
  const { months } = (await read('history', authorization)).body;
  assert.equal(months.length, 12);
  assert.deepEqual(months.at(-1), { month: new Date().toISOString().slice(0, 7), signups: 2, completions: 1 });
  assert.deepEqual(
    months.map(({ month }: { month: string }) => month),
    months.map(({ month }: { month: string }) => month).toSorted(),
  );
  const other = await app.addReferrer();
  assert.deepEqual((await read('stats', other.authorization)).body, emptyStats);
  assert.notEqual(other.id, id);
});

test('validates a link by its twelve characters and returns a uniform 404 otherwise', async () => {
  const { id, link } = await app.addReferrer();
  const validResponse = await read(`validate-referrer?ref=${link}`);
  assert.deepEqual([validResponse.status, validResponse.body], [200, { valid: true, referrer_idp_id: id }]);
  assert.equal(validResponse.headers.get('cache-control'), 'no-store');
  const wrong = [link.slice(1), `${link}2`, 'a'.repeat(12), id, '%00', `${link.slice(0, 11)}'`, '', link.toLowerCase()];
  const bodies = new Set<string>();
  for (const ref of wrong) {
    const response = await read(`validate-referrer?ref=${ref}`);
    assert.equal(response.status, 404, ref);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    bodies.add(JSON.stringify({ ...response.body, request_id: undefined }));
  }
  assert.equal((await read('validate-referrer')).status, 404);
  assert.equal(bodies.size, 1);
});

test('returns 400 for malformed, 413 for large, 415 for other bodies', async () => {
  const post = async (path: string, body: object | string, type = 'application/json') => {
    const response = await sendRequest(`${app.url}/api/referrals/${path}`, 'POST', JSON.stringify(body), {
      'content-type': type,
    });
    assertDocumented('POST', `/api/referrals/${path}`, response);
    return response.status;
  };
  const validBody = { referred_idp_id: 'user_a', referrer_idp_id: 'user_b' };
  for (const body of [
    {},
    [],
    'text',
    { ...validBody, referrer_idp_id: '' },
    { ...validBody, referred_idp_id: 'a b' },
    { ...validBody, more: 1 },
  ])
    assert.equal(await post('track-signup', body), 400, JSON.stringify(body));
  for (const body of [{}, { referred_idp_id: 7 }, { referred_idp_id: 'x'.repeat(129) }, validBody])
    assert.equal(await post('mark-completed', body), 400, JSON.stringify(body));
  assert.equal(await post('track-signup', { ...validBody, referrer_idp_id: 'x'.repeat(5_000) }), 413);
  assert.equal(await post('track-signup', validBody, 'text/plain'), 415);
});

test('sends no CORS headers to other sites', async () => {
  const { link, authorization } = await app.addReferrer();
  const origin = 'https://elsewhere.example';
  const body = { referred_idp_id: 'user_a', referrer_idp_id: link };
  const responses = [
    await sendRequest(`${app.url}/api/referrals/validate-referrer?ref=${link}`, 'GET', undefined, { origin }),
    await sendRequest(`${app.url}/api/referrals/get-link`, 'GET', undefined, { origin, authorization }),
    await sendRequest(`${app.url}/api/referrals/track-signup`, 'POST', body, { origin }),
    await sendRequest(`${app.url}/api/referrals/mark-completed`, 'POST', { referred_idp_id: 'user_a' }, { origin }),
  ];
  for (const { status, headers } of responses)
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, null]);
});

test('shares a limit per address or identifier between open routes', async (t) => {
  const limitedApp = await startReferralApp(t, { rateLimits: RATES });
  const call = (id: string) => limitedApp.call('track-signup', { referred_idp_id: id, referrer_idp_id: 'user_b' });
  for (let i = 0; i < 10; i += 1) assert.equal((await call('user_same')).status, 200);
  const rejected = await call('user_same');
  assert.deepEqual([rejected.status, rejected.body.code], [429, 'RATE_LIMITED']);
  assert.ok(Number(rejected.headers.get('retry-after')) > 0);
  assert.equal((await limitedApp.call('mark-completed', { referred_idp_id: 'user_same' })).status, 429);
  for (let i = 0; i < 18; i += 1) assert.equal((await call(`user_${i}`)).status, 200);
  assert.equal((await call('user_next')).status, 429);
  assert.equal((await limitedApp.call('validate-referrer?ref=Qm7XvT3kWz9B')).status, 429);
  assert.deepEqual(await limitedApp.readMetric('tally_referral_rejections_total'), { identifier: 2, address: 2 });
});

test('limits the total calls of one process', async (t) => {
  const limitedApp = await startReferralApp(t, {
    rateLimits: { perIdentifier: 5, perAddress: 100, total: 20 },
    isQueueIdle: true,
  });
  const statuses: number[] = [];
  for (let i = 0; i < 25; i += 1)
    statuses.push(
      (await limitedApp.call('track-signup', { referred_idp_id: `user_${i}`, referrer_idp_id: 'user_b' })).status,
    );
  assert.deepEqual(statuses, [...Array<number>(20).fill(200), ...Array<number>(5).fill(429)]);
});
