import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import type { EarningsResponse } from './contract.ts';
import { getEarningsChip } from '../../../market-data/domain/earnings-chip.ts';
import { compareByDate } from '../../../market-data/domain/comparators.ts';
import { getUpcomingRange } from '../../../market-data/services/earnings/list-reports.ts';
import {
  findCompanyNames,
  hasMissingReports,
  listReports,
} from '../../../market-data/services/earnings/upcoming-queries.ts';

/**
 * Returns upcoming earnings by date, then symbol. Watched companies that are not held are fetched from the provider if
 * nothing was fetched for twelve hours. Held companies have a daily job. Both use the reports of the watchlist. The
 * result is incomplete if either part may lack data or if the watchlist is unavailable.
 */
export async function listEarnings(
  deps: { sql: ServiceSql; market: Pick<MarketDataService, 'earnings' | 'calendar'>; now: () => Date },
  {
    held,
    watched,
    isWatchlistAvailable = true,
  }: { held: readonly string[]; watched: readonly string[]; isWatchlistAvailable?: boolean },
): Promise<EarningsResponse> {
  const today = deps.market.calendar.toNewYorkDate(deps.now());
  const range = getUpcomingRange(today);
  const heldSet = new Set(held);
  const watchedSet = new Set(watched);
  const [heldReports, isHeldIncomplete, watchedReports] = await Promise.all([
    held.length > 0 ? listReports(deps.sql, held, range) : [],
    held.length > 0 && hasMissingReports(deps.sql, held, range),
    listWatchedReports(
      deps,
      watched.filter((symbol) => !heldSet.has(symbol)),
      range,
    ),
  ]);
  const allReports = [...heldReports, ...watchedReports.reports];
  const earnings = allReports.map((report) => ({
    ...report,
    name: report.name ?? report.symbol,
    held: heldSet.has(report.symbol),
    watching: watchedSet.has(report.symbol),
    ...getEarningsChip(today, report.date),
  }));
  const complete = isWatchlistAvailable && watchedReports.complete && !isHeldIncomplete;
  return { earnings: earnings.sort(compareByDate), complete, sample_data: allReports.some(({ sample }) => sample) };
}

async function listWatchedReports(
  { sql, market }: { sql: ServiceSql; market: Pick<MarketDataService, 'earnings'> },
  symbols: readonly string[],
  range: { from: string; to: string },
) {
  const companyNameBySymbol =
    symbols.length > 0 ? await findCompanyNames(sql, symbols) : new Map<string, string | null>();
  if (companyNameBySymbol.size === 0) return { reports: [], complete: true };
  const { reports, complete } = await market.earnings([...companyNameBySymbol.keys()], range);
  const reportsInRange = reports.filter(
    ({ symbol, date }) => companyNameBySymbol.has(symbol) && date >= range.from && date <= range.to,
  );
  return {
    reports: reportsInRange.map((report) => ({ ...report, name: companyNameBySymbol.get(report.symbol) ?? null })),
    complete,
  };
}
