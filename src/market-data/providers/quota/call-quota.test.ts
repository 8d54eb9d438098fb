import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { connectDatabase } from '../../../platform/database/connect.ts';
import { listCallCounts, purgeCallCounts } from './quota-queries.ts';
import { purgeExpiredNews } from '../../services/news/news-queries.ts';
import { type CallQuota, createCallQuota } from './call-quota.ts';
import type { CallPriority } from '../../domain/market-data-provider.ts';

const UNLIMITED_CALLS = 1_000_000;
/** A Saturday, on which quotes need no reserve for a session. */
const saturday = (): Date => new Date('2026-11-21T12:00:00Z');

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

async function takeAll(budget: CallQuota, use: CallPriority): Promise<number> {
  let calls = 0;
  while (await budget.tryAcquire(use)) calls += 1;
  return calls;
}

test('acquires exactly the quota of minute and day when two processes race', async () => {
  const other = connectDatabase(db.urls);
  try {
    const limits = { perMinute: UNLIMITED_CALLS, perDay: 53 };
    const budgets = [
      createCallQuota(db.database.service, 'raced', limits, saturday),
      createCallQuota(other.service, 'raced', limits, saturday),
    ];
    const acquired = await Promise.all(
      Array.from({ length: 120 }, (_, call) => budgets[call % 2]!.tryAcquire('quotes')),
    );
    assert.equal(acquired.filter(Boolean).length, 37);
    const callCounts = await listCallCounts(other.service);
    const used = (period: string) =>
      callCounts
        .filter((row) => row.provider === 'raced' && row.period === period)
        .reduce((sum, row) => sum + row.used, 0);
    assert.deepEqual([used('day'), used('minute')], [37, 37], 'a denied call is not counted');
  } finally {
    await other.close();
  }
});

test('serves prices longest when quota is low, after news, history and new symbols', async () => {
  const budget = createCallQuota(db.database.service, 'classes', { perMinute: UNLIMITED_CALLS, perDay: 10 }, saturday);
  assert.equal(await takeAll(budget, 'background'), 6);
  assert.equal(await takeAll(budget, 'backfill'), 1);
  assert.equal(await takeAll(budget, 'listing'), 1);
  assert.equal(await takeAll(budget, 'quotes'), 2);
});

test('reserves a part of the day for other calls', async () => {
  const budget = createCallQuota(db.database.service, 'parts', { perMinute: UNLIMITED_CALLS, perDay: 20 }, saturday);
  assert.deepEqual(
    [
      await takeAll(budget, 'quotes'),
      await takeAll(budget, 'background'),
      await takeAll(budget, 'quotes'),
      await takeAll(budget, 'backfill'),
      await takeAll(budget, 'listing'),
    ],
    [14, 4, 0, 0, 2],
  );
});

test('reserves the share of quotes and limits histories in any order of calls', async () => {
  let time = new Date('2026-11-20T00:05:00Z');
  const budget = createCallQuota(db.database.service, 'first', { perMinute: UNLIMITED_CALLS, perDay: 250 }, () => time);
  const takeAt = (at: string, use: CallPriority): Promise<number> => {
    time = new Date(at);
    return takeAll(budget, use);
  };
  assert.equal(await takeAt('2026-11-20T00:05:00Z', 'backfill'), 50);
  assert.deepEqual(
    [await takeAt('2026-11-20T00:45:00Z', 'background'), await takeAt('2026-11-20T00:45:00Z', 'listing')],
    [12, 13],
  );
  let quotes = 0;
  for (const at of ['00:45', '14:30', '17:45', '20:45']) {
    const more = await takeAt(`2026-11-20T${at}:00Z`, 'quotes');
    assert.ok(more > 0, at);
    quotes += more;
  }
  assert.equal(quotes, 125);
  assert.deepEqual(
    [await takeAt('2026-11-20T21:34:00Z', 'backfill'), await takeAt('2026-11-20T21:34:00Z', 'listing')],
    [0, 0],
    'the last prices of the day are still due',
  );
  assert.equal(await takeAt('2026-11-20T21:15:00Z', 'quotes'), 50);

  await db.owner(`update market.provider_calls set used = used - quotes, quotes = 0 where provider = 'first'`);
  assert.deepEqual(
    [await takeAt('2026-11-20T21:35:00Z', 'backfill'), await takeAt('2026-11-20T21:35:00Z', 'listing')],
    [100, 25],
    'the calls that quotes left',
  );
});

test('limits other calls on a closed day until the prices of the evening are due', async () => {
  let time = new Date('2026-11-21T00:59:00Z');
  const budget = createCallQuota(db.database.service, 'rest', { perMinute: UNLIMITED_CALLS, perDay: 100 }, () => time);
  assert.equal(await takeAll(budget, 'backfill'), 20);
  time = new Date('2026-11-21T01:00:00Z');
  assert.equal(await takeAll(budget, 'backfill'), 50);
});

test('returns the wait until the quota resets when a call class is exhausted', async () => {
  let time = new Date('2026-11-20T20:35:00Z');
  const budget = createCallQuota(db.database.service, 'waits', { perMinute: UNLIMITED_CALLS, perDay: 10 }, () => time);
  assert.equal(await budget.secondsUntilDailyQuota('backfill'), undefined);
  await takeAll(budget, 'backfill');
  assert.equal(await budget.secondsUntilDailyQuota('backfill'), 3_600);
  assert.equal(await budget.secondsUntilDailyQuota('listing'), undefined);
  time = new Date('2026-11-20T21:35:00Z');
  assert.equal(await budget.secondsUntilDailyQuota('backfill'), undefined);
  await takeAll(budget, 'backfill');
  time = new Date('2026-11-20T20:35:00Z');
  // The day's quota stays exhausted later too. Calls are counted by the clock of the database.
  const wait = (await budget.secondsUntilDailyQuota('backfill'))!;
  const end = (Date.now() / 1_000 + wait) % 86_400;
  assert.ok(wait > 0 && Math.min(end, 86_400 - end) < 60, `${wait} s`);
});

test('ends the minute for every process when the provider limits the rate', async () => {
  const limits = { perMinute: 50, perDay: UNLIMITED_CALLS };
  const firstQuota = createCallQuota(db.database.service, 'refused', limits, saturday);
  const secondQuota = createCallQuota(db.database.service, 'refused', limits, saturday);
  // Allow one more attempt if the minute changes between the two calls.
  for (let round = 0; round < 2; round += 1) {
    assert.equal(await secondQuota.tryAcquire('quotes'), true);
    await firstQuota.markMinuteExhausted();
    if (!(await secondQuota.tryAcquire('quotes'))) return;
  }
  assert.fail('the other process may still call');
});

test('denies every call when the database is unavailable', async () => {
  const unreachableDatabase = connectDatabase({
    authenticator: 'postgres://a:b@127.0.0.1:1/x',
    service: 'postgres://a:b@127.0.0.1:1/x',
  });
  assert.equal(
    await createCallQuota(unreachableDatabase.service, 'x', { perMinute: 5, perDay: 5 }, saturday).tryAcquire('quotes'),
    false,
  );
  await unreachableDatabase.close();
});

test('keeps the counts and articles of today when old ones are purged', async () => {
  await db.owner(
    `insert into market.provider_calls values ('old', 'minute', now() - interval '3 days', 1),
       ('old', 'day', now() - interval '61 days', 1), ('old', 'day', date_trunc('day', now()), 1)`,
  );
  await db.owner(`insert into market.news_cache values ('old', '[]', now() - interval '2 days'), ('new', '[]', now())`);
  await purgeCallCounts(db.database.service);
  await purgeExpiredNews(db.database.service);
  assert.equal((await db.owner(`select 1 from market.provider_calls where provider = 'old'`)).length, 1);
  assert.deepEqual(await db.owner('select symbols_key from market.news_cache'), [{ symbols_key: 'new' }]);
});
