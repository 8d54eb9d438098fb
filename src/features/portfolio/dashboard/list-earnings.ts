import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import type { EarningsResponse } from './contract.ts';
import { getEarningsChip } from '../../../market-data/domain/earnings-chip.ts';
import { getEpsCurrency } from '../../../market-data/domain/eps-currency.ts';
import { compareByDate } from '../../../market-data/domain/comparators.ts';
import { getUpcomingRange, type ReportsResult } from '../../../market-data/services/earnings/list-reports.ts';
import type { ReportState } from '../../../market-data/services/earnings/report-queries.ts';
import { getStoredReports, readReportStates } from '../../../market-data/services/earnings/stored-reports.ts';

export interface EarningsDependencies {
  sql: ServiceSql;
  market: Pick<MarketDataService, 'earnings' | 'calendar' | 'source'>;
  now: () => Date;
}

/** Symbols of a member. The watched ones are missing if the watchlist is unavailable. */
export interface MemberSymbols {
  held: readonly string[];
  watched: readonly string[];
  isWatchlistAvailable?: boolean;
}

/**
 * Returns upcoming earnings by date, then symbol. Watched companies that are not held are fetched from the provider if
 * nothing was fetched for twelve hours. Held companies have a daily job. Both use the reports of the watchlist. The
 * result is incomplete if either part may lack data or if the watchlist is unavailable.
 */
export async function listEarnings(deps: EarningsDependencies, symbols: MemberSymbols): Promise<EarningsResponse> {
  const states = await readReportStates(deps, [...symbols.held, ...symbols.watched]);
  const watchedCompanies = listWatchedCompanies(states, symbols);
  const watchedReports =
    getStoredReports(watchedCompanies) ??
    (await deps.market.earnings(
      watchedCompanies.map(({ symbol }) => symbol),
      getRange(deps),
    ));
  return toEarnings(deps, { states, symbols, watchedReports });
}

/** Returns the upcoming earnings, or undefined if reports must be fetched first. */
export function toStoredEarnings(
  deps: EarningsDependencies,
  states: readonly ReportState[],
  symbols: MemberSymbols,
): EarningsResponse | undefined {
  const watchedReports = getStoredReports(listWatchedCompanies(states, symbols));
  return watchedReports && toEarnings(deps, { states, symbols, watchedReports });
}

/** Returns the watched companies that are not held. */
function listWatchedCompanies(states: readonly ReportState[], { held, watched }: MemberSymbols): ReportState[] {
  const heldSet = new Set(held);
  const watchedSet = new Set(watched);
  return states.filter(
    ({ symbol, is_company: isCompany }) => isCompany && watchedSet.has(symbol) && !heldSet.has(symbol),
  );
}

const getRange = ({ market, now }: EarningsDependencies) => getUpcomingRange(market.calendar.toNewYorkDate(now()));

function toEarnings(
  deps: EarningsDependencies,
  {
    states,
    symbols: { held, watched, isWatchlistAvailable = true },
    watchedReports,
  }: { states: readonly ReportState[]; symbols: MemberSymbols; watchedReports: ReportsResult },
): EarningsResponse {
  const { from, to } = getRange(deps);
  const heldSet = new Set(held);
  const watchedSet = new Set(watched);
  const stateBySymbol = new Map(states.map((state) => [state.symbol, state]));
  const isShown = ({ date }: { date: string }): boolean => date >= from && date <= to;
  const heldStates = states.filter(({ symbol }) => heldSet.has(symbol));
  // The daily job may be late.
  const isHeldIncomplete = heldStates.some(
    (state) => state.is_company && !state.fetched_lately && !state.reports.some(isShown),
  );
  const heldReports = heldStates.flatMap(({ symbol, reports }) => reports.map((report) => ({ ...report, symbol })));
  const companySymbols = new Set(listWatchedCompanies(states, { held, watched }).map(({ symbol }) => symbol));
  const shownReports = [
    ...heldReports,
    ...watchedReports.reports.filter(({ symbol }) => companySymbols.has(symbol)),
  ].filter(isShown);
  const earnings = shownReports.map((report) => {
    const state = stateBySymbol.get(report.symbol);
    return {
      ...report,
      name: state?.name ?? report.symbol,
      eps_currency: getEpsCurrency(report, state?.currency ?? null),
      held: heldSet.has(report.symbol),
      watching: watchedSet.has(report.symbol),
      ...getEarningsChip(from, report.date),
    };
  });
  const complete = isWatchlistAvailable && watchedReports.complete && !isHeldIncomplete;
  return { earnings: earnings.sort(compareByDate), complete, sample_data: shownReports.some(({ sample }) => sample) };
}
