import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import type { EarningsResponse } from './contract.ts';
import { earningsChip } from '../../../market-data/domain/earnings-chip.ts';
import { byDate } from '../../../market-data/domain/sort-order.ts';
import { upcomingRange } from '../../../market-data/services/earnings/list-reports.ts';
import { companiesAmong, lacksReports, listReports } from '../../../market-data/services/earnings/upcoming-queries.ts';

/**
 * Upcoming Earnings, by date, then symbol. Of watched companies that are not held the provider is asked where nothing
 * was fetched for twelve hours; held ones have a daily job. Both are read from the same reports as the watchlist.
 * Incomplete while either may lack something, and where it is not `known` what is watched.
 */
export async function listEarnings(
  deps: { sql: ServiceSql; market: Pick<MarketDataService, 'earnings' | 'calendar'>; now: () => Date },
  { held, watched, known = true }: { held: readonly string[]; watched: readonly string[]; known?: boolean },
): Promise<EarningsResponse> {
  const today = deps.market.calendar.newYorkDate(deps.now());
  const range = upcomingRange(today);
  const isHeld = new Set(held);
  const isWatched = new Set(watched);
  const [ofHeld, lacking, ofWatched] = await Promise.all([
    held.length > 0 ? listReports(deps.sql, held, range) : [],
    held.length > 0 && lacksReports(deps.sql, held, range),
    reportsOfWatched(
      deps,
      watched.filter((symbol) => !isHeld.has(symbol)),
      range,
    ),
  ]);
  const found = [...ofHeld, ...ofWatched.reports];
  const earnings = found.map((report) => ({
    ...report,
    name: report.name ?? report.symbol,
    held: isHeld.has(report.symbol),
    watching: isWatched.has(report.symbol),
    ...earningsChip(today, report.date),
  }));
  const complete = known && ofWatched.complete && !lacking;
  return { earnings: earnings.sort(byDate), complete, sample_data: found.some(({ sample }) => sample) };
}

async function reportsOfWatched(
  { sql, market }: { sql: ServiceSql; market: Pick<MarketDataService, 'earnings'> },
  symbols: readonly string[],
  range: { from: string; to: string },
) {
  const companies = symbols.length > 0 ? await companiesAmong(sql, symbols) : new Map<string, string | null>();
  if (companies.size === 0) return { reports: [], complete: true };
  const { reports, complete } = await market.earnings([...companies.keys()], range);
  const wanted = reports.filter(({ symbol, date }) => companies.has(symbol) && date >= range.from && date <= range.to);
  return { reports: wanted.map((report) => ({ ...report, name: companies.get(report.symbol) ?? null })), complete };
}
