import { withTimeout } from '../../platform/http/with-timeout.ts';
import type { RequestContext, WatchlistDependencies } from './context.ts';
import type { Close, NextReport, WatchlistItem } from './contract.ts';
import { type ListRow, readCloses } from './queries.ts';
import { hasPriceHistory, toWatchlistItem } from './to-watchlist-item.ts';

/** What of a row says which history and reports are its own. */
type MarketRowKey = Pick<ListRow, 'symbol' | 'ticker_id' | 'asset_type' | 'locked'>;

/** Closes as JSON text by ticker; a history that fails or is late leaves a list without charts, never without rows. */
interface ClosesResult {
  history: 'ok' | 'unavailable';
  closes: ReadonlyMap<number, string | null>;
}

/**
 * Price history has no client policy, so it is read as the service role, in a statement and over connections of its
 * own: it may fail or hang alone.
 */
export async function readClosesByTicker(
  deps: WatchlistDependencies,
  rows: readonly MarketRowKey[],
): Promise<ClosesResult> {
  const ids = rows.filter((row) => !row.locked && hasPriceHistory(row)).map((row) => row.ticker_id);
  if (ids.length === 0) return { history: 'ok', closes: new Map() };
  const pendingCloses = readCloses(deps.database.bestEffortReads, ids);
  const closesRows = await readOptional(
    deps,
    pendingCloses,
    'price history could not be read; the watchlist goes without charts',
  );
  return {
    history: closesRows ? 'ok' : 'unavailable',
    closes: new Map(closesRows?.map((entry) => [entry.ticker_id, entry.closes])),
  };
}

/** Next reports of active stocks (funds, ETFs and bonds do not report); none where they cannot be read. */
export async function readNextReports(
  { deps }: RequestContext,
  rows: readonly MarketRowKey[],
): Promise<ReadonlyMap<string, NextReport>> {
  const stocks = rows.filter((row) => !row.locked && row.asset_type === 'stock').map((row) => row.symbol);
  if (stocks.length === 0) return new Map();
  return (await readOptional(deps, deps.market.nextReports(stocks), 'next reports could not be read')) ?? new Map();
}

/** A row as the list shows it, with closes and next report. Never fails: what cannot be read is missing. */
export async function withClosesAndReport(context: RequestContext, row: ListRow): Promise<WatchlistItem> {
  const [{ closes }, reports] = await Promise.all([
    readClosesByTicker(context.deps, [row]),
    readNextReports(context, [row]),
  ]);
  const item = toWatchlistItem(row, reports.get(row.symbol));
  return item.locked ? item : { ...item, closes: JSON.parse(closes.get(row.ticker_id) ?? 'null') as Close[] | null };
}

/** Milliseconds that a list or a row waits for what it can go without. */
const OPTIONAL_READ_TIMEOUT_MS = 2_000;

/** What an answer can go without: where it fails or is late, it is left out with a warning. */
export async function readOptional<T>(
  { logger }: Pick<WatchlistDependencies, 'logger'>,
  pendingRead: Promise<T>,
  warning: string,
): Promise<T | undefined> {
  try {
    return await withTimeout(OPTIONAL_READ_TIMEOUT_MS, pendingRead, () => {
      throw new Error(`The database did not answer within ${OPTIONAL_READ_TIMEOUT_MS} ms.`);
    });
  } catch (error) {
    logger.warn({ err: error }, warning);
    return undefined;
  }
}
