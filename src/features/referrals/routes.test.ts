import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { assertDocumented } from '../../../test/support/documented.ts';
import { send, SITE, TestBrowser } from '../../../test/support/identity.ts';
import { type ReferralApp, startReferralApp } from '../../../test/support/referrals.ts';

const RATES = { perIdentifier: 10, perAddress: 30, inAll: 600 };
const ends: (() => Promise<void>)[] = [];
let app: ReferralApp;
beforeAll(async () => {
  app = await startReferralApp({ onTestFinished: (end) => void ends.push(end as () => Promise<void>) });
});
afterAll(async () => {
  for (const end of ends) await end();
});

async function read(path: string, authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  const answer = await send(`${app.url}/api/referrals/${path}`, 'GET', undefined, headers);
  assertDocumented('GET', `/api/referrals/${path}`, answer, headers);
  return answer;
}

test('a member’s link is the same on every call, and leads to the sign-up page', async () => {
  const { link, authorization } = await app.referrer();
  const { status, body, headers } = await read('get-link', authorization);
  assert.equal(status, 200);
  assert.deepEqual(body, { referral_link: link, url: `${SITE}/sign-up?ref=${link}` });
  assert.equal(headers.get('cache-control'), 'no-store');
});

test('links and figures need a session', async () => {
  for (const path of ['get-link', 'stats', 'history']) assert.equal((await read(path)).status, 401, path);
});

test('the figures are the member’s own, in all and by month', async () => {
  const { id, link, authorization } = await app.referrer();
  const nobody = { total_signups: 0, completed_referrals: 0 };
  assert.deepEqual((await read('stats', authorization)).body, nobody);
  const people = [await app.person(), await app.person(), await app.person({ hours: 24 * 400 })];
  for (const person of people) assert.equal(await app.created(person, link), 200);
  await app.connect(people[1]!);
  assert.deepEqual((await read('stats', authorization)).body, { total_signups: 3, completed_referrals: 1 });
  const { months } = (await read('history', authorization)).body;
  assert.equal(months.length, 12);
  assert.deepEqual(months.at(-1), { month: new Date().toISOString().slice(0, 7), signups: 2, completions: 1 });
  assert.deepEqual(
    months.map(({ month }: { month: string }) => month),
    months.map(({ month }: { month: string }) => month).toSorted(),
  );
  const other = await app.referrer();
  assert.deepEqual((await read('stats', other.authorization)).body, nobody);
  assert.notEqual(other.id, id);
});

test('a link is validated by its twelve characters alone; anything else is one uniform 404', async () => {
  const { id, link } = await app.referrer();
  const good = await read(`validate-referrer?ref=${link}`);
  assert.deepEqual([good.status, good.body], [200, { valid: true, referrer_idp_id: id }]);
  assert.equal(good.headers.get('cache-control'), 'no-store');
  const wrong = [link.slice(1), `${link}2`, 'a'.repeat(12), id, '%00', `${link.slice(0, 11)}'`, '', link.toLowerCase()];
  const bodies = new Set<string>();
  for (const ref of wrong) {
    const answer = await read(`validate-referrer?ref=${ref}`);
    assert.equal(answer.status, 404, ref);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    bodies.add(JSON.stringify({ ...answer.body, request_id: undefined }));
  }
  assert.equal((await read('validate-referrer')).status, 404);
  assert.equal(bodies.size, 1);
});

test('a call that is not well-formed is 400, too large 413, of another type 415', async () => {
  const post = async (path: string, body: object | string, type = 'application/json') => {
    const answer = await send(`${app.url}/api/referrals/${path}`, 'POST', JSON.stringify(body), {
      'content-type': type,
    });
    assertDocumented('POST', `/api/referrals/${path}`, answer);
    return answer.status;
  };
  const both = { referred_idp_id: 'user_a', referrer_idp_id: 'user_b' };
  for (const body of [
    {},
    [],
    'text',
    { ...both, referrer_idp_id: '' },
    { ...both, referred_idp_id: 'a b' },
    { ...both, more: 1 },
  ])
    assert.equal(await post('track-signup', body), 400, JSON.stringify(body));
  for (const body of [{}, { referred_idp_id: 7 }, { referred_idp_id: 'x'.repeat(129) }, both])
    assert.equal(await post('mark-completed', body), 400, JSON.stringify(body));
  assert.equal(await post('track-signup', { ...both, referrer_idp_id: 'x'.repeat(5_000) }), 413);
  assert.equal(await post('track-signup', both, 'text/plain'), 415);
});

test('no answer lets another site’s script read it', async () => {
  const { link, authorization } = await app.referrer();
  const origin = 'https://elsewhere.example';
  const body = { referred_idp_id: 'user_a', referrer_idp_id: link };
  const answers = [
    await send(`${app.url}/api/referrals/validate-referrer?ref=${link}`, 'GET', undefined, { origin }),
    await send(`${app.url}/api/referrals/get-link`, 'GET', undefined, { origin, authorization }),
    await send(`${app.url}/api/referrals/track-signup`, 'POST', body, { origin }),
    await send(`${app.url}/api/referrals/mark-completed`, 'POST', { referred_idp_id: 'user_a' }, { origin }),
  ];
  for (const { status, headers } of answers)
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, null]);
});

test('the open routes share a limit for an address and one for an identifier, and count refusals', async (t) => {
  const own = await startReferralApp(t, { rateLimits: RATES });
  const call = (id: string) => own.call('track-signup', { referred_idp_id: id, referrer_idp_id: 'user_b' });
  for (let i = 0; i < 10; i += 1) assert.equal((await call('user_same')).status, 200);
  const over = await call('user_same');
  assert.deepEqual([over.status, over.body.code], [429, 'RATE_LIMITED']);
  assert.ok(Number(over.headers.get('retry-after')) > 0);
  assert.equal((await own.call('mark-completed', { referred_idp_id: 'user_same' })).status, 429);
  for (let i = 0; i < 18; i += 1) assert.equal((await call(`user_${i}`)).status, 200);
  assert.equal((await call('user_next')).status, 429);
  assert.equal((await own.call('validate-referrer?ref=Qm7XvT3kWz9B')).status, 429);
  assert.deepEqual(await own.metric('tally_referral_refusals_total'), { identifier: 2, address: 2 });
});

test('what one process takes in all is limited', async (t) => {
  const own = await startReferralApp(t, { rateLimits: { perIdentifier: 5, perAddress: 100, inAll: 20 }, idle: true });
  const statuses: number[] = [];
  for (let i = 0; i < 25; i += 1)
    statuses.push((await own.call('track-signup', { referred_idp_id: `user_${i}`, referrer_idp_id: 'user_b' })).status);
  assert.deepEqual(statuses, [...Array<number>(20).fill(200), ...Array<number>(5).fill(429)]);
});

test('neither the demo account nor the sample user gets a link', async (t) => {
  const accounts = { demoAccountId: undefined as string | undefined, sampleUserId: undefined as string | undefined };
  const own = await startReferralApp(t, { accounts });
  for (const [name, code] of [
    ['demoAccountId', 'DEMO_ACCOUNT'],
    ['sampleUserId', 'DEMO_MODE'],
  ] as const) {
    const browser = new TestBrowser(own.url);
    const { userId, sessionId } = await browser.signUp();
    const authorization = `Bearer ${await browser.token(sessionId)}`;
    accounts[name] = userId;
    const { status, body } = await send(`${own.url}/api/referrals/get-link`, 'GET', undefined, { authorization });
    assert.deepEqual([status, body.code], [403, code]);
    assert.deepEqual(await own.owner(`select referral_link from public.all_users where idp_id = $1`, [userId]), [
      { referral_link: null },
    ]);
  }
});
