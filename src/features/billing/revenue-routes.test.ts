import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { sendRequest } from '../../../test/support/identity.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { addRevenueRoutes } from './revenue-routes.ts';

const TOKEN = 'e1'.repeat(32);
const PATH = '/api/operator/revenue';

let db: TestDatabase;
const apps: HttpApp[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  const [{ payer }] = (await db.owner<{ payer: string }>(
    `insert into public.billing_payers (customer_id) values ('cus_1') returning payer`,
  )) as [{ payer: string }];
  await db.owner(`insert into public.all_users (idp_id) values ('user_a'), ('user_b'), ('user_c')`);
  await db.owner(
    `insert into public.billing_invoices (payer, id, status, currency, total_minor, net_minor, tier, entry_source,
       created_at, paid_at) values
     ($1, 'in_1', 'paid', 'USD', 999, 999, 'pro', 'watchlist_limit', '2026-01-31Z', '2026-01-31 23:59:59Z'),
     ($1, 'in_2', 'paid', 'EUR', 500, 500, '=1+1', 'watchlist_locked', '2026-02-01Z', '2026-02-01 00:00Z')`,
    [payer],
  );
  await db.owner(
    `insert into public.billing_movements (payer, kind, currency, mrr_minor, from_tier, to_tier, entry_source, moved_at)
     values ($1, 'new', 'USD', 999, 'free', 'pro', 'watchlist_limit', '2026-01-31 23:59:59Z')`,
    [payer],
  );
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await db.drop();
});

/** Starts the report with its own guard. */
async function start(token: string | undefined = TOKEN) {
  const app = await createTestHttpApp();
  apps.push(app);
  addRevenueRoutes(app, { sql: db.database.service, revenueToken: token });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return async (path = '', authorization: string | undefined = `Bearer ${TOKEN}`, method = 'GET') => {
    const response = await sendRequest(
      `${url}${PATH}${path}`,
      method,
      undefined,
      authorization ? { authorization } : {},
    );
    assertDocumented(method, `${PATH}${path}`, response);
    return response;
  };
}

test('opens the report, which names no member', async () => {
  const call = await start();
  const { status, headers, body } = await call();
  assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store']);
  assert.deepEqual(
    body.source.map(({ label, bucket, currency, net_minor: net }: Record<string, unknown>) => [
      label,
      bucket,
      currency,
      net,
    ]),
    [
      ['Watchlist · Locked after downgrade', 'proactive_watchlist', 'EUR', 500],
      ['Watchlist · Full', 'proactive_watchlist', 'USD', 999],
    ],
  );
  assert.doesNotMatch(JSON.stringify(body), /cus_1|user_|payer"/, 'no member and no customer is named');
});

test('returns 404 for every request when there is no token', async () => {
  const call = await start('');
  for (const path of ['', '/source.csv'])
    for (const authorization of ['', `Bearer ${TOKEN}`, 'Bearer undefined'])
      assert.deepEqual((await call(path, authorization)).status, 404, `${path} ${authorization}`);
});

test('limits guesses to twenty a minute over both addresses', async () => {
  const call = await start();
  for (let tries = 0; tries < 20; tries += 1)
    assert.equal((await call(tries % 2 ? '' : '/mrr.csv', `Bearer ${'0'.repeat(64)}`)).status, 401);
  const rejected = await call();
  assert.deepEqual([rejected.status, rejected.body.code], [429, 'RATE_LIMITED']);
  assert.ok(Number(rejected.headers.get('retry-after')) > 0);
});

test('rejects an invalid day or part of a report by name', async () => {
  const call = await start();
  const { body } = await call('?from=2026-02-01&to=2026-02-28');
  assert.deepEqual([body.source.length, body.mrr.length, body.bucket[0].net_minor], [1, 0, 500]);
  for (const [query, invalidPath] of [
    ['?from=yesterday', 'from'],
    ['?to=2026-02-31', 'to'],
    ['?by=tier', undefined],
  ] as const) {
    const rejected = await call(query);
    assert.equal(rejected.status, 400, query);
    if (invalidPath) assert.equal(rejected.body.issues[0].path, invalidPath);
  }
  for (const path of ['/members.csv', '/mrr', '/..%2Fsource.csv']) assert.equal((await call(path)).status, 404, path);
  assert.equal((await call('', `Bearer ${TOKEN}`, 'POST')).status, 405);
});

test('counts a member once a funnel, on its first day in UTC', async () => {
  const insertStep = (idpId: string, event: string, at: string, properties: object) =>
    db.owner(`insert into public.analytics_events (idp_id, event, properties, occurred_at) values ($1, $2, $3, $4)`, [
      idpId,
      event,
      JSON.stringify(properties),
      at,
    ]);
  const entry = { entry_source: 'watchlist_limit' };
  // Row format before the name was changed.
  const olderEntry = { entry: 'watchlist_limit' };
  await insertStep('user_a', 'upgrade_cta_clicked', '2026-03-31 23:59Z', { source: 'dashboard_watchlist_limit' });
  await insertStep('user_a', 'upgrade_cta_clicked', '2026-04-01 00:01Z', { source: 'dashboard_watchlist_limit' });
  await insertStep('user_a', 'plans_viewed', '2026-04-01 00:01Z', entry);
  await insertStep('user_a', 'upgrade_modal_viewed', '2026-04-02Z', entry);
  await insertStep('user_a', 'upgrade_modal_confirmed', '2026-04-20Z', entry);
  await insertStep('user_b', 'plans_viewed', '2026-03-31 12:00Z', olderEntry);
  await insertStep('user_b', 'upgrade_modal_viewed', '2026-04-29Z', olderEntry);
  await insertStep('user_b', 'upgrade_modal_confirmed', '2026-05-20Z', entry);
  await insertStep('user_b', 'plans_viewed', '2026-08-01Z', entry);
  await insertStep('user_b', 'plans_viewed', '2026-08-01Z', { entry_source: null });
  await insertStep('user_b', 'watchlist_viewed', '2026-08-02Z', {});
  await db.owner(
    `insert into public.billing_checkouts (idp_id, tier, entry_source, status, origin, created_at) values
     ('user_a', 'pro', 'watchlist_limit', 'expired', '', '2026-04-20 01:00Z'),
     ('user_a', 'pro', 'watchlist_limit', 'complete', '', '2026-04-20 02:00Z'),
     ('user_c', 'max', null, 'open', '', '2026-08-01 03:00Z')`,
  );
  const { funnel } = (await (await start())()).body as { funnel: Record<string, unknown>[] };
  assert.deepEqual(
    funnel.map(({ day, label, entry_source: _source, ...steps }) => [day, label, ...Object.values(steps)]),
    [
      ['2026-03-31', 'Watchlist · Full', 1, 2, 2, 1, 1, 1],
      ['2026-08-01', 'Watchlist · Full', 0, 1, 0, 0, 0, 0],
      ['2026-08-01', 'Other', 0, 1, 0, 0, 1, 0],
    ],
  );
});
