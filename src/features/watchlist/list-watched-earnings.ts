import { getEarningsChip } from '../../market-data/domain/earnings-chip.ts';
import { getEpsCurrency } from '../../market-data/domain/eps-currency.ts';
import { compareByDate } from '../../market-data/domain/comparators.ts';
import { getUpcomingRange, type ReportsResult } from '../../market-data/services/earnings/list-reports.ts';
import type { RequestContext } from './context.ts';
import type { WatchedEarnings } from './contract.ts';
import { type ListRows, readListRows } from './list-watchlist.ts';

/**
 * Returns the reports of watched companies from today to 90 days ahead, by date. Only stocks report. Locked rows are
 * omitted, so the function returns undefined if the tier is unavailable.
 */
export async function listWatchedEarnings(context: RequestContext): Promise<WatchedEarnings | undefined> {
  const { deps } = context;
  const list = await readListRows(context);
  if (!list) return undefined;
  const symbols = listActiveStocks(list).map(({ symbol }) => symbol);
  const result =
    symbols.length === 0
      ? { reports: [], complete: true }
      : await deps.market.earnings(symbols, getUpcomingRange(deps.market.calendar.toNewYorkDate(deps.now())));
  return toWatchedEarnings(deps, list, result);
}

/** Returns the rows of companies that are not locked. */
export const listActiveStocks = ({ rows }: Pick<ListRows, 'rows'>): ListRows['rows'] =>
  rows.filter((row) => !row.locked && row.asset_type === 'stock');

/** Returns the reports of the list's companies as the API does. */
export function toWatchedEarnings(
  deps: RequestContext['deps'],
  list: ListRows,
  { reports, complete }: ReportsResult,
): WatchedEarnings {
  const stockBySymbol = new Map(listActiveStocks(list).map((row) => [row.symbol, row]));
  const today = deps.market.calendar.toNewYorkDate(deps.now());
  const range = getUpcomingRange(today);
  const earnings = reports.flatMap((report) => {
    const { symbol, date, sample } = report;
    const row = stockBySymbol.get(symbol);
    // A sample report is shown only with a sample price, because the card marks both together.
    if (!row || (sample && !row.sample) || date < range.from || date > range.to) return [];
    return [
      {
        ...report,
        name: row.name ?? symbol,
        eps_currency: getEpsCurrency(report, row.currency),
        held: row.held,
        watching: true,
        ...getEarningsChip(today, date),
      },
    ];
  });
  earnings.sort(compareByDate);
  return {
    earnings,
    complete,
    sample_data: earnings.some(({ sample }) => sample),
    ...(list.tier_stale && { tier_stale: true as const }),
  };
}
