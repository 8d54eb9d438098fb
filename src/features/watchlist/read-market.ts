import { withTimeout } from '../../platform/http/with-timeout.ts';
import type { RequestContext, WatchlistDependencies } from './context.ts';
import type { Close, NextReport, WatchlistItem } from './contract.ts';
import { type ListRow, readCloses } from './queries.ts';
import { hasPriceHistory, toWatchlistItem } from './to-watchlist-item.ts';

/** Fields of a row that identify its history and reports. */
type MarketRowKey = Pick<ListRow, 'symbol' | 'ticker_id' | 'asset_type' | 'locked'>;

/** Closes as JSON text by ticker. If the history fails or is late, the list has no charts but keeps its rows. */
interface ClosesResult {
  history: 'ok' | 'unavailable';
  closes: ReadonlyMap<number, string | null>;
}

/**
 * Reads closes as the service role, because price history has no client policy. The statement uses separate
 * connections, so that a failure or delay affects only the charts.
 */
export async function readClosesByTicker(
  deps: WatchlistDependencies,
  rows: readonly MarketRowKey[],
): Promise<ClosesResult> {
  const ids = rows.filter((row) => !row.locked && hasPriceHistory(row)).map((row) => row.ticker_id);
  if (ids.length === 0) return { history: 'ok', closes: new Map() };
  const pendingCloses = readCloses(deps.database.marketReads, ids);
  const closesRows = await readOptional(
    deps,
    pendingCloses,
    'price history unavailable; returning watchlist without charts',
  );
  return {
    history: closesRows ? 'ok' : 'unavailable',
    closes: new Map(closesRows?.map((entry) => [entry.ticker_id, entry.closes])),
  };
}

/** Reads the next reports of active stocks. Funds, ETFs and bonds do not report. Returns none if the read fails. */
export async function readNextReports(
  { deps }: RequestContext,
  rows: readonly MarketRowKey[],
): Promise<ReadonlyMap<string, NextReport>> {
  const stocks = rows.filter((row) => !row.locked && row.asset_type === 'stock').map((row) => row.symbol);
  if (stocks.length === 0) return new Map();
  return (
    (await readOptional(
      deps,
      deps.market.nextReports(stocks),
      'next reports unavailable; returning rows without reports',
    )) ?? new Map()
  );
}

/** Returns a list item with closes and next report. Never fails: unreadable data is omitted. */
export async function withClosesAndReport(context: RequestContext, row: ListRow): Promise<WatchlistItem> {
  const [{ closes }, reports] = await Promise.all([
    readClosesByTicker(context.deps, [row]),
    readNextReports(context, [row]),
  ]);
  const item = toWatchlistItem(row, reports.get(row.symbol));
  return item.locked ? item : { ...item, closes: JSON.parse(closes.get(row.ticker_id) ?? 'null') as Close[] | null };
}

/** Timeout in ms for data that a list or a row can omit. */
const OPTIONAL_READ_TIMEOUT_MS = 2_000;

/** Reads data that a response can omit. If the read fails or is late, logs a warning and returns undefined. */
export async function readOptional<T>(
  { logger }: Pick<WatchlistDependencies, 'logger'>,
  pendingRead: Promise<T>,
  warning: string,
): Promise<T | undefined> {
  try {
    return await withTimeout(OPTIONAL_READ_TIMEOUT_MS, pendingRead, () => {
      throw new Error(`database did not respond within ${OPTIONAL_READ_TIMEOUT_MS} ms`);
    });
  } catch (error) {
    logger.warn({ err: error }, warning);
    return undefined;
  }
}
