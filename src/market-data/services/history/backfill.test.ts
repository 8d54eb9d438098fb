import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { FMP_KEY, createFmpCandles, type FmpFake, startFmpFake } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { createMarket } from '../../../../test/support/market-fixture.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { connectDatabase, type Database } from '../../../platform/database/connect.ts';
import { createJobs } from '../../../platform/jobs/jobs.ts';
import type { MarketDataService } from '../market-data-service.ts';

let db: TestDatabase;
let other: Database;
let fake: FmpFake;
let marketDataInstances: MarketDataService[];
beforeAll(async () => {
  [db, fake] = await Promise.all([createTestDatabase(), startFmpFake()]);
  other = connectDatabase(db.urls);
  marketDataInstances = [db.database, other].map(openMarketData);
});

const openMarketData = (database: Database): MarketDataService =>
  createMarket(database, { fmp: { key: FMP_KEY, baseUrl: fake.url } });

afterAll(async () => {
  await other.close();
  await db.drop();
  await fake.close();
});

const candleCalls = (): number => fake.requests.filter(({ path }) => path.startsWith('/historical')).length;
const helpers = { jobId: '1', attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
const run = (payload: { symbol: string; again?: boolean; tries?: number }) =>
  marketDataInstances[0]!.tasks['market-backfill']!(payload as never, helpers);
/** Returns the pending backfills of a symbol. */
const waiting = (symbol: string) =>
  db.owner<{ key: string; payload: { again: boolean; tries: number }; minutes: number }>(
    `select key, payload, ceil(extract(epoch from run_at - now()) / 60)::int as minutes
     from graphile_worker._private_jobs where payload ->> 'symbol' = $1 order by key`,
    [symbol],
  );
const deleteJobs = () => db.owner('delete from graphile_worker._private_jobs');
const stored = async (symbol: string) =>
  (
    await db.owner<{ n: number; closes: [string, number][] | null }>(
      `select (select count(*)::int from public.tracked_tickers_historical h where h.ticker_id = t.ticker_id) as n,
         r.closes
         from public.tracked_tickers_latest t left join market.recent_closes r using (ticker_id) where t.symbol = $1`,
      [symbol],
    )
  )[0];
const advance = (time: string) =>
  db.owner(`update market.backfills set done_at = done_at - $1::interval, claimed_at = claimed_at - $1::interval`, [
    time,
  ]);
const queued = async (): Promise<number> =>
  (await db.owner<{ n: number }>('select count(*)::int as n from graphile_worker.jobs'))[0]!.n;

/** Runs `work` while a worker with the market's tasks runs in each process. */
async function withWorkers(work: () => Promise<void>): Promise<void> {
  const workers = await Promise.all(
    [db.database, other].map((database, index) =>
      createJobs(database).startWorker(marketDataInstances[index]!.tasks, {
        pollIntervalMs: 100,
        schedule: marketDataInstances[index]!.schedules,
      }),
    ),
  );
  try {
    await work();
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

/** Requests the history as twelve members do at the same time, in both processes. */
const requestTwelveTimes = (symbol: string) =>
  Promise.all(Array.from({ length: 12 }, (_, member) => marketDataInstances[member % 2]!.requestBackfill(symbol)));

test('fetches a year once when members of two processes add the same new symbol', async () => {
  await marketDataInstances[0]!.registerSymbol('AAPL');
  await requestTwelveTimes('AAPL');
  assert.equal(await queued(), 1, 'one job is pending');

  await withWorkers(async () => {
    await eventually(async () => (await queued()) === 0);
    // Request it again during the fetch and after it.
    await requestTwelveTimes('AAPL');
    await eventually(async () => (await queued()) === 0);
  });

  assert.equal(candleCalls(), 1);
  const [recent] = await db.owner<{ closes: unknown; to: string }>(
    `select closes, closes_to::text as to from market.recent_closes`,
  );
  assert.deepEqual(recent?.closes, [
    ['2026-11-16', 224.1],
    ['2026-11-17', 226.4],
    ['2026-11-19', 228.02],
  ]);
  assert.equal(recent.to, '2026-11-19', 'without the null close and without today');
});

test('skips funds, unknown symbols and complete histories', async () => {
  await marketDataInstances[0]!.registerSymbol('VTSAX');
  for (const symbol of ['VTSAX', 'NOSUCH', '', 'AAPL']) await marketDataInstances[0]!.requestBackfill(symbol);
  assert.equal(await queued(), 0);
});

test('retries a failed fetch later and rejects candles that jump a hundredfold', async () => {
  await marketDataInstances[0]!.registerSymbol('VOO');
  fake.failWith('a server error');
  await run({ symbol: 'VOO' });
  fake.failWith(undefined);
  const retriesSoon = await db.owner<{ soon: boolean }>(
    `select run_at > now() + interval '30 seconds' as soon from graphile_worker.jobs`,
  );
  assert.deepEqual(retriesSoon, [{ soon: true }]);
  fake.state.candles.set(
    'VOO',
    createFmpCandles('VOO', [
      ['2026-11-17', 538],
      ['2026-11-18', 53_900],
      ['2026-11-19', 540],
    ]),
  );
  const before = candleCalls();
  await run({ symbol: 'VOO' });
  assert.equal(candleCalls() - before, 1, 'the next attempt did not wait');
  assert.equal((await stored('VOO'))!.n, 0);
  await deleteJobs();
});

test('keeps the year and retries when a fresh copy is empty or far shorter', async () => {
  const year = Array.from({ length: 30 }, (_, day): [string, number] => [
    new Date(Date.UTC(2026, 9, 21 + day)).toISOString().slice(0, 10),
    200 + day,
  ]);
  fake.state.candles.set('AAPL', createFmpCandles('AAPL', year));
  await advance('2 minutes');
  await run({ symbol: 'AAPL', again: true });
  const before = await stored('AAPL');
  assert.equal(before!.n, 30);
  for (const shortCandles of [[], year.slice(0, 14)]) {
    fake.state.candles.set('AAPL', createFmpCandles('AAPL', shortCandles));
    await advance('2 minutes');
    assert.deepEqual(await marketDataInstances[0]!.backfillNow('AAPL', true), { outcome: 'implausible' });
    await advance('2 minutes');
    await run({ symbol: 'AAPL', again: true });
    assert.deepEqual(await stored('AAPL'), before);
  }
  const [retryJob] = await waiting('AAPL');
  assert.deepEqual([retryJob!.key, retryJob!.payload.again], ['market-refetch-later:AAPL', true]);
  fake.state.candles.set(
    'AAPL',
    createFmpCandles(
      'AAPL',
      year.map(([date, close]) => [date, close / 2]),
    ),
  );
  await advance('2 minutes');
  await run({ symbol: 'AAPL', again: true });
  assert.deepEqual([(await stored('AAPL'))!.n, (await stored('AAPL'))!.closes!.at(-1)], [30, ['2026-11-19', 114.5]]);
  await deleteJobs();
});

test('drops a date that does not exist and stores the rest of the year', async () => {
  await marketDataInstances[0]!.registerSymbol('VOD.L');
  fake.state.candles.set(
    'VOD.L',
    createFmpCandles('VOD.L', [
      ['2026-09-31', 7_100],
      ['2026-02-29', 7_100],
      ['2026-11-18', 7_150],
      ['2026-11-19', 7_200],
    ]),
  );
  await run({ symbol: 'VOD.L' });
  assert.deepEqual((await stored('VOD.L'))!.closes, [
    ['2026-11-18', 71.5],
    ['2026-11-19', 72],
  ]);
});

test('backs off and finally gives up when the provider stays unavailable', async () => {
  await advance('21 hours');
  fake.failWith('a server error');
  try {
    const waits: number[] = [];
    for (let tries = 0; tries < 30;) {
      await run({ symbol: 'VOO', tries });
      const [next, ...others] = await waiting('VOO');
      assert.deepEqual(others, []);
      if (!next) break;
      assert.equal(next.payload.tries, tries + 1);
      tries = next.payload.tries;
      waits.push(next.minutes);
      await deleteJobs();
    }
    assert.equal(waits.length, 9);
    assert.ok(
      waits.every((wait, index) => index === 0 || wait >= waits[index - 1]!),
      `${waits}`,
    );
    assert.ok(waits.at(-1)! >= 120, `${waits}`);
    // A new request resets the attempts. A request for missing data must not replace one for a fresh copy.
    await run({ symbol: 'VOO', again: true });
    await run({ symbol: 'VOO' });
    assert.deepEqual(
      (await waiting('VOO')).map(({ key }) => key),
      ['market-backfill-later:VOO', 'market-refetch-later:VOO'],
    );
  } finally {
    fake.failWith(undefined);
    await deleteJobs();
  }
});

test('retries after an hour when the plan does not cover candles', async () => {
  fake.failWith('payment required');
  // A process that received no candles recently. Otherwise the error would count against the symbol.
  const fresh = openMarketData(db.database).tasks['market-backfill']!;
  await fresh({ symbol: 'VOO' } as never, helpers);
  await fresh({ symbol: 'VOO' } as never, helpers); // whether or not a provider is called this time
  fake.failWith(undefined);
  const [next] = await waiting('VOO');
  assert.ok(next!.minutes >= 59, `${next!.minutes}`);
  assert.deepEqual(
    await db.owner(
      `select from market.backfills b join public.tracked_tickers_latest t using (ticker_id) where t.symbol = 'VOO'`,
    ),
    [],
  );
  await deleteJobs();
});

test('resumes a backfill when the claim of a killed worker expires', async () => {
  await db.owner(`update market.backfills set claimed_at = now(), done_at = null`);
  await run({ symbol: 'VOD.L' });
  const [next] = await waiting('VOD.L');
  assert.ok(next!.minutes >= 1);
  await advance('3 minutes');
  fake.state.candles.set('VOD.L', createFmpCandles('VOD.L', [['2026-11-17', 7_100]]));
  await marketDataInstances[1]!.tasks['market-backfill']!({ symbol: 'VOD.L', ...next!.payload } as never, helpers);
  assert.equal((await stored('VOD.L'))!.n, 3);
});

test('waits for the next day when the daily quota is exhausted, otherwise for a minute', async () => {
  await db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency) values ('LATE', 'stock', 'USD')`,
  );
  const spend = (period: 'minute' | 'day', used: number) =>
    db.owner(
      `insert into market.provider_calls select 'fmp', $1, date_trunc($1, now(), 'UTC') + n * ('1 ' || $1)::interval, $2
       from generate_series(0, 2) n
       on conflict (provider, period, starts_at) do update set used = excluded.used`,
      [period, used],
    );
  const afterMidnight = () =>
    db.owner<{ minutes: number }>(
      `select extract(epoch from run_at - (date_trunc('day', now(), 'UTC') + interval '1 day'))::float8 / 60 as minutes
       from graphile_worker._private_jobs where payload ->> 'symbol' = 'LATE'`,
    );
  await spend('minute', 100_000);
  await run({ symbol: 'LATE' });
  assert.deepEqual(
    (await waiting('LATE')).map(({ minutes }) => minutes),
    [1],
  );
  await spend('day', 2_000_000_000);
  await run({ symbol: 'LATE' });
  const [wait, ...others] = await afterMidnight();
  assert.ok(wait!.minutes >= 0.9 && wait!.minutes <= 15.1, `${wait!.minutes} minutes after midnight`);
  assert.deepEqual([others, (await waiting('LATE'))[0]!.payload.tries], [[], 0], 'the attempt is not counted');
  await db.owner('delete from market.provider_calls');
  await deleteJobs();
});
