import { within } from '../http/within.ts';
import type { WatchlistDependencies } from './context.ts';
import { type ListRow, readCloses, readClosesOfSymbol } from './queries.ts';
import { hasCandles } from './row-to-item.ts';

/** What of a row says which history and reports are its own. */
export type MarketKey = Pick<ListRow, 'symbol' | 'ticker_id' | 'asset_type' | 'locked'>;

/**
 * The closes of active rows as JSON text by ticker; a history that fails or is late leaves the list without charts,
 * never without rows.
 */
interface ClosesRead {
  history: 'ok' | 'unavailable';
  of(row: MarketKey): string | null;
}

/**
 * Price history has no client policy, so it is read as the service role, in a statement and over connections of its
 * own: it may fail or hang alone.
 */
export async function readClosesOf(deps: WatchlistDependencies, rows: readonly MarketKey[]): Promise<ClosesRead> {
  const ids = rows.filter((row) => !row.locked && hasCandles(row)).map((row) => row.ticker_id);
  return ids.length === 0 ? { history: 'ok', of: () => null } : read(deps, readCloses(deps.database.optional, ids));
}

/** The same for a symbol of which nothing is known yet. */
export const readClosesBySymbol = (deps: WatchlistDependencies, symbol: string): Promise<ClosesRead> =>
  read(deps, readClosesOfSymbol(deps.database.optional, symbol));

async function read(deps: WatchlistDependencies, reading: ReturnType<typeof readCloses>): Promise<ClosesRead> {
  try {
    const found = await inTime(reading, OPTIONAL_TIMEOUT);
    const closes = new Map(found.map((entry) => [entry.ticker_id, entry.closes]));
    return {
      history: 'ok',
      of: (row) => (row.locked || !hasCandles(row) ? null : (closes.get(row.ticker_id) ?? null)),
    };
  } catch (error) {
    deps.logger.warn({ err: error }, 'price history could not be read; the watchlist goes without charts');
    return { history: 'unavailable', of: () => null };
  }
}

/** Milliseconds that a list or a row waits for what it can go without. */
export const OPTIONAL_TIMEOUT = 2_000;

/** The work's result, or an error once its time is up; the work itself goes on to its own end. */
export const inTime = <T>(work: Promise<T>, milliseconds: number): Promise<T> =>
  within(milliseconds, work, () => {
    throw new Error(`The database did not answer within ${milliseconds} ms.`);
  });
