import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import type { FmpFake } from '../../test/fakes/fmp/fmp-fake.ts';
import { FMP_KEY, fmpCandles, startFmpFake } from '../../test/fakes/fmp/fmp-fake.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { connectDatabase } from '../database/connect.ts';
import type { Database } from '../database/connect.ts';
import { createJobs } from '../jobs/jobs.ts';
import type { MarketDataRoom } from './market-data.ts';
import { createMarketData } from './market-data.ts';

let db: TestDatabase;
let other: Database;
let fake: FmpFake;
let rooms: MarketDataRoom[];
before(async () => {
  [db, fake] = await Promise.all([createTestDatabase(), startFmpFake()]);
  other = connectDatabase(db.urls);
  rooms = [db.database, other].map((database) =>
    createMarketData({
      sql: database.service,
      jobs: createJobs(database),
      logger: pino({ level: 'silent' }),
      providers: { fmp: { key: FMP_KEY, baseUrl: fake.url } },
      now: () => new Date('2026-11-20T16:20:00Z'),
    }),
  );
});
after(async () => {
  await other.close();
  await db.drop();
  await fake.close();
});

const candleCalls = (): number => fake.requests.filter(({ path }) => path.startsWith('/historical')).length;
const queued = async (): Promise<number> => (await db.owner<{ n: number }>('select count(*)::int as n from graphile_worker.jobs'))[0]!.n;

test('members of two processes who add the same new symbol cause one request for its year', async () => {
  await rooms[0]!.registerSymbol('AAPL');
  await Promise.all(Array.from({ length: 12 }, (_, member) => rooms[member % 2]!.requestBackfill('AAPL')));
  assert.equal(await queued(), 1, 'one job waits');
  const workers = await Promise.all([db.database, other].map((database, at) => createJobs(database).startWorker(rooms[at]!.tasks, { pollInterval: 100, schedule: rooms[at]!.schedules })));
  try {
    await eventually(async () => (await queued()) === 0);
    // Further wishes while it is done and after it.
    await Promise.all(Array.from({ length: 12 }, (_, member) => rooms[member % 2]!.requestBackfill('AAPL')));
    await eventually(async () => (await queued()) === 0);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  assert.equal(candleCalls(), 1);
  const clocked = await db.owner<{ identifier: string }>('select identifier from graphile_worker._private_known_crontabs order by 1');
  assert.deepEqual(clocked.map(({ identifier }) => identifier), ['market-refresh', 'market-refresh-evening', 'market-roll-closes', 'market-tidy'], 'the clock knows every schedule');
  const closes = await db.owner<{ closes: unknown; to: string }>(`select closes, closes_to::text as to from market.recent_closes`);
  assert.deepEqual(closes, [{ closes: [['2026-11-16', 224.1], ['2026-11-17', 226.4], ['2026-11-19', 228.02]], to: '2026-11-19' }], 'without the null and without today');
});

test('jobs that run at the same moment make one request between them', async () => {
  await rooms[0]!.registerSymbol('BRK.B');
  const before = candleCalls();
  const helpers = { jobId: '1', attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
  await Promise.all(Array.from({ length: 10 }, (_, at) => rooms[at % 2]!.tasks['market-backfill']!({ symbol: 'BRK.B' } as never, helpers)));
  assert.equal(candleCalls() - before, 1);
  await rooms[1]!.tasks['market-backfill']!({ symbol: 'BRK.B' } as never, helpers);
  assert.equal(candleCalls() - before, 1, 'what was fetched today is not fetched again');
});

test('funds, unknown symbols and a full history are not asked for', async () => {
  await rooms[0]!.registerSymbol('VTSAX');
  for (const symbol of ['VTSAX', 'NOSUCH', '', 'AAPL']) await rooms[0]!.requestBackfill(symbol);
  assert.equal(await queued(), 0);
});

test('a failed fetch is given back and tried later; candles that jump a hundredfold are not stored', async () => {
  await rooms[0]!.registerSymbol('VOO');
  const helpers = { jobId: '1', attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
  const run = () => rooms[0]!.tasks['market-backfill']!({ symbol: 'VOO' } as never, helpers);
  fake.failWith('a server error');
  await run();
  fake.failWith(undefined);
  const later = await db.owner<{ soon: boolean }>(`select run_at > now() + interval '30 seconds' as soon from graphile_worker.jobs`);
  assert.deepEqual(later, [{ soon: true }]);
  fake.state.candles.set('VOO', fmpCandles('VOO', [['2026-11-17', 538], ['2026-11-18', 53_900], ['2026-11-19', 540]]));
  const before = candleCalls();
  await run();
  assert.equal(candleCalls() - before, 1, 'the next try did not have to wait');
  const [stored] = await db.owner<{ n: number }>(`select count(*)::int as n from public.tracked_tickers_historical h join public.tracked_tickers_latest t using (ticker_id) where t.symbol = 'VOO'`);
  assert.equal(stored!.n, 0);
});
