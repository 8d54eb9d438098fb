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
import type { ProviderSettings } from '../../src/market-data/providers/provider-sources.ts';
import { FMP_KEY, type FmpFake, startFmpFake } from '../fakes/fmp/fmp-fake.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A room on a database and a fake provider of its own. */
export interface Stage {
  db: TestDatabase;
  fake: FmpFake;
  room: MarketDataService;
  /** Warnings and errors of the room, a JSON line each. */
  logLines: readonly string[];
  /** Moves the clock of the room. */
  setTime(time: string): void;
  run(task: string, payload?: object): Promise<void>;
  row(symbol: string): Promise<Row>;
  closesOf(symbol: string): Promise<[string, number][]>;
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

/** A Friday before Thanksgiving, 11:20 in New York. */
export const DURING = '2026-11-20T16:20:00Z';

/** A room on this database; without providers the simulator answers. */
export function openMarket(
  database: Database,
  providers: ProviderSettings = {},
  now = () => new Date(DURING),
  logger: Logger = pino({ level: 'silent' }),
): MarketDataService {
  const jobs = createJobs(database);
  return createMarketData({
    sql: database.service,
    jobs,
    logger,
    providers,
    createEmbedded: createSimulator,
    now,
  });
}

export async function setUpMarket(t: TestContext, callsPerMinute = 10_000): Promise<Stage> {
  const [db, fake] = await Promise.all([createTestDatabase(t), startFmpFake()]);
  t.onTestFinished(() => fake.close());
  let time = new Date(DURING);
  const logLines: string[] = [];
  const room = openMarket(
    db.database,
    { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute } },
    () => time,
    createLogger('warn', { write: (line) => void logLines.push(line) }),
  );
  const helpers: TaskHelpers = { jobId: '1', attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
  return {
    db,
    fake,
    room,
    logLines,
    setTime: (next) => void (time = new Date(next)),
    run: (task, payload = {}) => room.tasks[task]!(payload as never, helpers),
    row: async (symbol) =>
      (await db.owner<Row>('select * from public.tracked_tickers_latest where symbol = $1', [symbol]))[0]!,
    closesOf: async (symbol) =>
      (
        await db.owner<{ closes: [string, number][] }>(
          'select r.closes from market.recent_closes r join public.tracked_tickers_latest t using (ticker_id) ' +
            'where t.symbol = $1',
          [symbol],
        )
      )[0]?.closes ?? [],
  };
}

/** Puts symbols on a member's list, so that the feed has a reason to fetch them. */
export async function watch({ db, room }: Stage, ...symbols: string[]): Promise<void> {
  await db.owner(`insert into public.all_users (idp_id) values ('user_feed') on conflict do nothing`);
  for (const [place, symbol] of symbols.entries()) {
    assert.equal((await room.registerSymbol(symbol)).ok, true, symbol);
    await db.owner(`insert into public.watchlist_items (idp_id, symbol, position) values ('user_feed', $1, $2)`, [
      symbol,
      place + 1,
    ]);
  }
}

/** Removes the waiting jobs and returns their payloads. */
export async function takeJobs<Payload = { symbol: string; again?: boolean }>({ db }: Stage): Promise<Payload[]> {
  const jobs = await db.owner<{ payload: Payload }>('delete from graphile_worker._private_jobs returning payload');
  return jobs.map(({ payload }) => payload);
}
