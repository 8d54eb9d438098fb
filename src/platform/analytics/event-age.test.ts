import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { Registry } from 'prom-client';
import { createTestDatabase } from '../../../test/support/database.ts';
import { createLogger } from '../http/logger.ts';
import { createAnalytics } from './analytics.ts';

const call = { signal: new AbortController().signal } as never;
const logger = createLogger('silent');

async function startAnalytics(t: TestContext, service?: { host: string; apiKey: string }) {
  const db = await createTestDatabase(t);
  await db.owner(`insert into public.all_users (idp_id) values ('user_a')`);
  const registry = new Registry();
  const analytics = createAnalytics({
    sql: db.database.service,
    logger,
    service,
    retentionDays: 100,
    metrics: { registry },
  });
  const add = (event: string, days: number, columns = '', values = '') =>
    db.owner(
      `insert into public.analytics_events (idp_id, event, properties, occurred_at, received_at${columns})
       values ('user_a', $1, '{}', now() - make_interval(days => $2), now() - make_interval(days => $2)${values})`,
      [event, days],
    );
  const left = async () =>
    (
      await db.owner<{ event: string; days: number }>(
        `select event, extract(day from now() - occurred_at)::int as days from public.analytics_events order by 2, 1`,
      )
    ).map(({ event, days }) => `${event} ${days}`);
  return {
    db,
    analytics,
    registry,
    add,
    left,
    cleanup: () => analytics.tasks['cleanup-analytics']!({} as never, call),
  };
}

test('deletes events by age and funnel events later when there is no analytics service', async (t) => {
  const { analytics, registry, add, left, cleanup } = await startAnalytics(t);
  assert.ok(analytics.schedules.some(({ task }) => task === 'cleanup-analytics'));
  for (const days of [1, 99, 101, 1_000]) await add('watchlist_viewed', days);
  for (const days of [101, 1_829, 1_831]) await add('plans_viewed', days);
  await add('watchlist_viewed', 101, ', local_only', ', true');
  await cleanup();
  assert.deepEqual(await left(), [
    'watchlist_viewed 1',
    'watchlist_viewed 99',
    'plans_viewed 101',
    'plans_viewed 1829',
  ]);
  assert.doesNotMatch(await registry.metrics(), /tally_analytics/, 'nothing waits where nothing is forwarded');
});

test('deletes forwarded events after 30 days', async (t) => {
  const { add, left, registry, cleanup } = await startAnalytics(t, { host: 'http://127.0.0.1:9', apiKey: 'phc_test' });
  await add('watchlist_viewed', 31, ', forwarded_at', `, now() - interval '31 days'`);
  await add('watchlist_viewed', 40, ', forwarded_at', `, now() - interval '29 days'`);
  await add('plans_viewed', 40, ', forwarded_at', `, now() - interval '40 days'`);
  await add('watchlist_viewed', 50, ', quarantined_at, refusal', `, now(), 'no'`);
  await add('watchlist_viewed', 101, ', quarantined_at, refusal', `, now(), 'no'`);
  await add('watchlist_viewed', 60);
  await add('watchlist_viewed', 101);
  await add('watchlist_viewed', 102);
  const figure = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await registry.metrics())?.[1]);
  assert.equal(await figure('tally_analytics_events_waiting'), 3);
  assert.ok((await figure('tally_analytics_oldest_waiting_seconds')) >= 102 * 86_400);
  await cleanup();
  assert.deepEqual(await left(), [
    'plans_viewed 40',
    'watchlist_viewed 40',
    'watchlist_viewed 50',
    'watchlist_viewed 60',
  ]);
  assert.equal(await figure('tally_analytics_events_waiting'), 1);
  assert.equal(await figure('tally_analytics_events_dropped_total'), 2);
});

test('deletes a backlog of years in several statements that use an index', { tags: ['slow'] }, async (t) => {
  const { db, left, cleanup } = await startAnalytics(t);
  if (db.distributed) return t.skip('its plans are those of one server');
  await db.owner(
    `insert into public.analytics_events (idp_id, event, properties, occurred_at, local_only)
     select 'user_a', 'watchlist_viewed', '{}', now() - make_interval(hours => 2401 + n), n % 2 = 0
       from generate_series(1, 45000) n`,
  );
  await cleanup();
  assert.deepEqual(await left(), []);
  await db.owner('analyze public.analytics_events');
  for (const condition of ['', 'not ']) {
    const plan = await db.owner<Record<string, string>>(
      `explain select occurred_at from public.analytics_events
        where ${condition}(forwarded_at is null and quarantined_at is null and not local_only)
          and occurred_at < now() - interval '100 days' order by occurred_at offset 10000 limit 1`,
    );
    assert.match(
      plan.map((row) => row['QUERY PLAN']).join('\n'),
      /Index (Only )?Scan using analytics_events_(waiting|settled)/,
    );
  }
});
