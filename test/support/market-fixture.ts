import assert from 'node:assert/strict';
import type { TestContext } from 'vitest';
import { type Logger, pino } from 'pino';
import type { Database } from '../../src/platform/database/connect.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import type { TaskHelpers } from '../../src/platform/jobs/task.ts';
import { createSimulator } from '../../src/embedded/market-data/simulator.ts';
import { createMarketData } from '../../src/market-data/market-data.ts';
import type { MarketDataService } from '../../src/market-data/services/market-data-service.ts';
import type { EvaluatePrices } from '../../src/market-data/services/prices/written-prices.ts';
import type { ProviderSettings } from '../../src/market-data/providers/provider-entries.ts';
import { FMP_KEY, type FmpFake, startFmpFake } from '../fakes/fmp/fmp-fake.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** Market data with its own database and fake provider. */
export interface MarketFixture {
  db: TestDatabase;
  fake: FmpFake;
  marketData: MarketDataService;
  /** Warnings and errors of market data as JSON lines. */
  logLines: readonly string[];
  /** Sets the clock of market data. */
  setTime(time: string): void;
  run(task: string, payload?: object): Promise<void>;
  readRow(symbol: string): Promise<Row>;
  readCloses(symbol: string): Promise<[string, number][]>;
}

interface Row {
  current_price: number | null;
  change_1d: number | null;
  change_amount: number | null;
  prev_close: number | null;
  market_cap: number | null;
  currency: string | null;
  price_at: Date | null;
  delayed_minutes: number;
  source: string;
  quarantine_reason: string | null;
}

/** The Friday before Thanksgiving, 11:20 in New York. */
export const MARKET_HOURS_TIME = '2026-11-20T16:20:00Z';

/** Creates market data on this database. Without providers the simulator responds. */
export function createMarket(
  database: Database,
  providers: ProviderSettings = {},
  now = () => new Date(MARKET_HOURS_TIME),
  logger: Logger = pino({ level: 'silent' }),
  evaluatePrices?: EvaluatePrices,
): MarketDataService {
  const jobs = createJobs(database);
  return createMarketData({
    sql: database.service,
    jobs,
    logger,
    providers,
    createEmbedded: createSimulator,
    evaluatePrices,
    now,
  });
}

export async function setUpMarketFixture(
  t: TestContext,
  callsPerMinute = 10_000,
  evaluatePrices?: EvaluatePrices,
): Promise<MarketFixture> {
  const [db, fake] = await Promise.all([createTestDatabase(t), startFmpFake()]);
  t.onTestFinished(() => fake.close());
  let time = new Date(MARKET_HOURS_TIME);
  const logLines: string[] = [];
  const marketData = createMarket(
    db.database,
    { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute } },
    () => time,
    createLogger('warn', {
      write: (line) => {
        logLines.push(line);
      },
    }),
    evaluatePrices,
  );
  const helpers: TaskHelpers = { jobId: '1', attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
  return {
    db,
    fake,
    marketData,
    logLines,
    setTime: (nextTime) => {
      time = new Date(nextTime);
    },
    run: (task, payload = {}) => marketData.tasks[task]!(payload as never, helpers),
    readRow: async (symbol) =>
      (await db.owner<Row>('select * from public.tracked_tickers_latest where symbol = $1', [symbol]))[0]!,
    readCloses: async (symbol) =>
      (
        await db.owner<{ closes: [string, number][] }>(
          'select r.closes from market.recent_closes r join public.tracked_tickers_latest t using (ticker_id) ' +
            'where t.symbol = $1',
          [symbol],
        )
      )[0]?.closes ?? [],
  };
}

/** Adds symbols to a member's list, so that the feed has a reason to fetch them. */
export async function addToWatchlist({ db, marketData }: MarketFixture, ...symbols: string[]): Promise<void> {
  await db.owner(`insert into public.all_users (idp_id) values ('user_feed') on conflict do nothing`);
  for (const [index, symbol] of symbols.entries()) {
    assert.equal((await marketData.registerSymbol(symbol)).ok, true, symbol);
    await db.owner(`insert into public.watchlist_items (idp_id, symbol, position) values ('user_feed', $1, $2)`, [
      symbol,
      index + 1,
    ]);
  }
}

/** Removes the waiting jobs and returns their payloads. */
export async function removeJobs<Payload = { symbol: string; again?: boolean }>({
  db,
}: MarketFixture): Promise<Payload[]> {
  const jobs = await db.owner<{ payload: Payload }>('delete from graphile_worker._private_jobs returning payload');
  return jobs.map(({ payload }) => payload);
}
