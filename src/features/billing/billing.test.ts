import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { sendRequest, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { connectDatabase } from '../../platform/database/connect.ts';
import { createGuards } from '../../platform/identity/guards.ts';
import { createLogger } from '../../platform/http/logger.ts';
import { type Billing, createBilling } from './billing.ts';
import { plansResponse } from './contract.ts';

const logger = createLogger('silent');
const noMember = createGuards(() => Promise.reject(new Error('No member is signed in here.')));
let db: TestDatabase;
let billing: Billing;
beforeAll(async () => {
  db = await createTestDatabase();
  billing = createBilling({ database: db.database, logger, guards: noMember });
  await db.owner(`insert into public.all_users (idp_id) values ('user_a'), ('user_b'), ('user_c')`);
});
afterAll(() => db.drop());

test('returns Free when a member has no subscription', async () => {
  assert.deepEqual(await billing.getTier('user_a'), { ok: true, tier: 'free', watchlist_limit: 20 });
});

test('applies changed limits of a plan immediately', async () => {
  const person = { email: 'a@example.com', password: '' };
  await billing.seed({
    members: [
      { ...person, idp_user_id: 'user_a', tier: 'free' },
      { ...person, idp_user_id: 'user_b', tier: 'pro' },
      { ...person, idp_user_id: 'user_c', tier: 'max' },
    ],
  });
  const readLimits = () => Promise.all(['user_a', 'user_b', 'user_c'].map((member) => billing.getTier(member)));
  assert.deepEqual(
    (await readLimits()).map((lookup) => lookup.ok && [lookup.tier, lookup.watchlist_limit]),
    [
      ['free', 20],
      ['pro', 100],
      ['max', 250],
    ],
  );
  assert.deepEqual(
    await Promise.all((['free', 'pro', 'max'] as const).map((tier) => billing.getWatchlistLimit(tier))),
    [20, 100, 250],
  );
  await db.owner(`update public.plans set watchlist_limit = 120 where tier = 'pro'`);
  assert.deepEqual(await billing.getTier('user_b'), { ok: true, tier: 'pro', watchlist_limit: 120 });
});

test('counts only paid subscriptions until their paid period ends', async () => {
  await billing.setTier('user_c', 'free');
  const cases: [status: string, end: string, tier: string, ended?: string][] = [
    ['active', 'null', 'max'],
    ['trialing', 'null', 'max'],
    ['past_due', 'null', 'max'],
    ['unpaid', 'null', 'free'],
    ['canceled', 'null', 'free'],
    ['canceled', "now() + interval '1 day'", 'max'],
    ['canceled', "now() - interval '1 second'", 'free'],
    ['canceled', "now() + interval '1 day'", 'free', 'now()'],
    ['incomplete', 'null', 'free'],
    ['incomplete_expired', 'null', 'free'],
    ['paused', 'null', 'free'],
  ];
  for (const [status, end, tier, ended = 'null'] of cases) {
    await db.owner(`insert into public.subscriptions (idp_id, id, tier, status, current_period_end, ended_at)
      values ('user_c', 'sub_1', 'max', '${status}', ${end}, ${ended}) on conflict (idp_id, id) do update set
        status = excluded.status, current_period_end = excluded.current_period_end, ended_at = excluded.ended_at`);
    const lookup = await billing.getTier('user_c');
    assert.equal(lookup.ok && lookup.tier, tier, `${status} until ${end}`);
  }
  await billing.setTier('user_c', 'pro');
  assert.deepEqual(
    [
      await db.owner(`select tier from public.tier_grants where idp_id = 'user_c'`),
      await db.owner(`select tier, status from public.subscriptions where idp_id = 'user_c'`),
    ],
    [[{ tier: 'pro' }], [{ tier: 'max', status: 'paused' }]],
    'a tier that is set is a grant, and what was paid for stays as it was',
  );
});

test('uses the highest live subscription when an older one ends late', async () => {
  await db.owner(`delete from public.subscriptions where idp_id = 'user_c'`);
  await billing.setTier('user_c', 'free');
  await db.owner(`insert into public.subscriptions (idp_id, id, tier, status) values
    ('user_c', 'sub_1', 'pro', 'active'), ('user_c', 'sub_2', 'max', 'active'),
    ('user_c', 'sub_3', 'pro', 'past_due')`);
  const getCurrentTier = async () => {
    const lookup = await billing.getTier('user_c');
    return lookup.ok && lookup.tier;
  };
  assert.equal(await getCurrentTier(), 'max');
  await db.owner(`update public.subscriptions set status = 'canceled', ended_at = now() where id = 'sub_2'`);
  assert.equal(await getCurrentTier(), 'pro');
  await db.owner(`update public.subscriptions set status = 'canceled', ended_at = now() where id = 'sub_1'`);
  assert.equal(await getCurrentTier(), 'pro');
  await db.owner(`delete from public.subscriptions where idp_id = 'user_c'`);
});

test('reports a failed lookup instead of Free', async () => {
  await billing.setTier('user_c', 'max');
  const unreachableDatabase = connectDatabase(db.urls);
  await unreachableDatabase.close();
  assert.deepEqual(await createBilling({ database: unreachableDatabase, logger, guards: noMember }).getTier('user_c'), {
    ok: false,
  });
  await db.owner('revoke select on public.subscriptions from authenticated');
  try {
    assert.deepEqual(await billing.getTier('user_c'), { ok: false });
  } finally {
    await db.owner('grant select on public.subscriptions to authenticated');
  }
  assert.deepEqual(await billing.getTier('user_c'), { ok: true, tier: 'max', watchlist_limit: 250 });
});

test('returns the plans with the member’s own plan on GET /api/plans', async (t) => {
  let billingModule!: Billing;
  const app = await startIdentityApp(t, {}, async (http, identity) => {
    billingModule = createBilling({ database: identity.options.database, logger, guards: identity.guards });
    await billingModule.register(http);
  });
  const browser = new TestBrowser(app.url);
  const { userId, sessionId } = await browser.signUp();
  const headers = { authorization: `Bearer ${await browser.token(sessionId)}` };
  const readPlans = async (method = 'GET', credential: Record<string, string> = headers) => {
    const response = await sendRequest(`${app.url}/api/plans`, method, undefined, credential);
    assertDocumented(method, '/api/plans', response, credential);
    return response;
  };
  const price = (amount_minor: number) => ({ amount_minor, currency: 'USD', interval: 'month' });
  const plans = [
    { tier: 'free', watchlist_limit: 20, price: null },
    { tier: 'pro', watchlist_limit: 100, price: price(999) },
    { tier: 'max', watchlist_limit: 250, price: price(1_999) },
  ];
  assert.deepEqual(plansResponse.parse((await readPlans()).body), { current: 'free', plans });
  await billingModule.setTier(userId, 'pro');
  const paid = await readPlans();
  assert.deepEqual([paid.body, paid.headers.get('cache-control')], [{ current: 'pro', plans }, 'private, no-cache']);
  assert.equal((await readPlans('GET', { ...headers, 'if-none-match': paid.headers.get('etag')! })).status, 304);
  assert.deepEqual((await readPlans('GET', {})).body, { current: null, plans });
  const outdated = { authorization: 'Bearer a.b.c' };
  assert.deepEqual([(await readPlans('GET', outdated)).status, (await readPlans('POST')).status], [401, 405]);
  for (const table of ['subscriptions', 'plans']) {
    await app.owner(`revoke select on public.${table} from authenticated`);
    const unknown = await readPlans();
    await app.owner(`grant select on public.${table} to authenticated`);
    assert.deepEqual(
      [unknown.status, unknown.body.code, unknown.headers.get('retry-after')],
      [503, 'TIER_UNAVAILABLE', '5'],
      `without ${table}`,
    );
  }
});
