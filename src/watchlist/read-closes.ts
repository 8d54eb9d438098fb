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
  const found = await orWithout(deps, reading, 'price history could not be read; the watchlist goes without charts');
  if (!found) return { history: 'unavailable', of: () => null };
  const closes = new Map(found.map((entry) => [entry.ticker_id, entry.closes]));
  return {
    history: 'ok',
    of: (row) => (row.locked || !hasCandles(row) ? null : (closes.get(row.ticker_id) ?? null)),
  };
}

/** Milliseconds that a list or a row waits for what it can go without. */
const OPTIONAL_TIMEOUT = 2_000;

/** What an answer can go without: where it fails or is late, it is left out with a warning. */
export async function orWithout<T>(
  { logger }: Pick<WatchlistDependencies, 'logger'>,
  work: Promise<T>,
  warning: string,
): Promise<T | undefined> {
  try {
    return await within(OPTIONAL_TIMEOUT, work, () => {
      throw new Error(`The database did not answer within ${OPTIONAL_TIMEOUT} ms.`);
    });
  } catch (error) {
    logger.warn({ err: error }, warning);
    return undefined;
  }
}
