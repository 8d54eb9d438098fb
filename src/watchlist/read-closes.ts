import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchlistDependencies } from './context.ts';
import type { ListRow } from './queries.ts';
import { readCloses } from './queries.ts';
import { hasCandles } from './row-to-item.ts';

/** What of a row says which history and reports are its own. */
export type MarketKey = Pick<ListRow, 'symbol' | 'ticker_id' | 'asset_type' | 'locked'>;

/** The closes of active rows as JSON text by ticker; a history that fails or dawdles leaves the list without charts, never without rows. */
export interface ClosesRead {
  history: 'ok' | 'unavailable';
  of(row: MarketKey): string | null;
}

/** Price history has no client policy, so it is read as the service role, in a statement of its own that may fail alone. */
export async function readClosesOf(deps: WatchlistDependencies, rows: readonly MarketKey[]): Promise<ClosesRead> {
  const ids = rows.filter((row) => !row.locked && hasCandles(row)).map((row) => row.ticker_id);
  if (ids.length === 0) return { history: 'ok', of: () => null };
  try {
    const found = await inTime(readCloses(deps.database.service, ids), deps.historyPatience ?? 2_000);
    const closes = new Map(found.map((entry) => [entry.ticker_id, entry.closes]));
    return { history: 'ok', of: (row) => (row.locked ? null : (closes.get(row.ticker_id) ?? null)) };
  } catch (error) {
    deps.logger.warn({ err: error }, 'price history could not be read; the watchlist goes without charts');
    return { history: 'unavailable', of: () => null };
  }
}

/** The work's result, or an error once the patience is over; the work itself goes on to its own end. */
export async function inTime<T>(work: Promise<T>, patience: number): Promise<T> {
  const over = new AbortController();
  const late = sleep(patience, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`The history did not answer within ${patience} ms.`);
  });
  late.catch(() => {}); // ended by the abort below, or thrown by the race
  try {
    return await Promise.race([work, late]);
  } finally {
    work.catch(() => {}); // nobody waits for it any more
    over.abort();
  }
}
