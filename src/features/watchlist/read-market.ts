import { within } from '../../platform/http/within.ts';
import type { RequestContext, WatchlistDependencies } from './context.ts';
import type { Close, NextReport, WatchlistItem } from './contract.ts';
import { type ListRow, readCloses, readClosesOfSymbol } from './queries.ts';
import { hasCandles, toItem } from './row-to-item.ts';

/** What of a row says which history and reports are its own. */
type MarketKey = Pick<ListRow, 'symbol' | 'ticker_id' | 'asset_type' | 'locked'>;

/** Closes as JSON text by ticker; a history that fails or is late leaves a list without charts, never without rows. */
interface ClosesRead {
  history: 'ok' | 'unavailable';
  closes: ReadonlyMap<number, string | null>;
}

/**
 * Price history has no client policy, so it is read as the service role, in a statement and over connections of its
 * own: it may fail or hang alone.
 */
export async function readClosesOf(deps: WatchlistDependencies, rows: readonly MarketKey[]): Promise<ClosesRead> {
  const ids = rows.filter((row) => !row.locked && hasCandles(row)).map((row) => row.ticker_id);
  return ids.length === 0 ? { history: 'ok', closes: new Map() } : read(deps, readCloses(deps.database.optional, ids));
}

async function read(deps: WatchlistDependencies, reading: ReturnType<typeof readCloses>): Promise<ClosesRead> {
  const found = await orWithout(deps, reading, 'price history could not be read; the watchlist goes without charts');
  return {
    history: found ? 'ok' : 'unavailable',
    closes: new Map(found?.map((entry) => [entry.ticker_id, entry.closes])),
  };
}

/** Next reports of active stocks (funds, ETFs and bonds do not report); none where they cannot be read. */
export async function readReportsOf(
  { deps }: RequestContext,
  rows: readonly Omit<MarketKey, 'ticker_id'>[],
): Promise<ReadonlyMap<string, NextReport>> {
  const stocks = rows.filter((row) => !row.locked && row.asset_type === 'stock').map((row) => row.symbol);
  if (stocks.length === 0) return new Map();
  return (await orWithout(deps, deps.market.nextReports(stocks), 'next reports could not be read')) ?? new Map();
}

/**
 * Reads what stands beside a row (closes as JSON text, next report) before the row is known, and tells it for the row
 * afterwards: an add need not wait for the one to ask for the other. What cannot be read is missing.
 */
export async function readMarketBySymbol(context: RequestContext, symbol: string) {
  const { deps } = context;
  const [{ closes }, reports] = await Promise.all([
    read(deps, readClosesOfSymbol(deps.database.optional, symbol)),
    readReportsOf(context, [{ symbol, asset_type: 'stock', locked: false }]),
  ]);
  return (row: MarketKey): RowMarket => ({
    closes: hasCandles(row) ? closes.get(row.ticker_id) : null,
    report: row.asset_type === 'stock' ? reports.get(symbol) : undefined,
  });
}

interface RowMarket {
  closes: string | null | undefined;
  report: NextReport | undefined;
}

/** A row as the list shows it. */
export function withMarket(row: ListRow, { closes, report }: RowMarket): WatchlistItem {
  const item = toItem(row, report);
  return item.locked ? item : { ...item, closes: JSON.parse(closes ?? 'null') as Close[] | null };
}

/** The same of a row whose closes and report are not read yet. Never fails: what cannot be read is missing. */
export async function completeItem(context: RequestContext, row: ListRow): Promise<WatchlistItem> {
  const [{ closes }, reports] = await Promise.all([readClosesOf(context.deps, [row]), readReportsOf(context, [row])]);
  return withMarket(row, { closes: closes.get(row.ticker_id), report: reports.get(row.symbol) });
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
