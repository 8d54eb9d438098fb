import type { ServiceSql } from '../../../platform/database/roles.ts';
import { withTimeout } from '../../../platform/http/with-timeout.ts';
import { addDays, isInRange } from '../../domain/dates.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import type { DateRange, ReportDate } from '../../domain/market-data-provider.ts';
import { compareByDate } from '../../domain/comparators.ts';
import type { MarketContext } from '../shared/market-context.ts';
import { COMPLETE, createFetchBySymbol, type FetchOutcome, RETRY_LATER } from './fetch-by-symbol.ts';
import {
  type FetchedReports,
  listFetchedReports,
  listMissingReports,
  readNextReports,
  readReports,
  listReportingStocks,
} from './report-queries.ts';
import { createMarketScan } from './scan-market-reports.ts';

/** Days ahead for which the reports of a symbol are fetched and stored, whatever the requested range. */
export const AHEAD_DAYS = 90;
/** If more symbols than this are missing, a market-wide scan finds them, provided that a provider supports it. */
const MAX_WITHOUT_SCAN = 5;
/** Time in ms that a request of a member waits. A slower fetch continues after the response. */
const MEMBER_WAIT_TIMEOUT_MS = 8_000;

/** Returns the range of upcoming reports (YYYY-MM-DD): today in New York and the next 90 days. */
export const getUpcomingRange = (today: string): DateRange => ({ from: today, to: addDays(today, AHEAD_DAYS) });

interface ReportsDependencies extends Omit<MarketContext, 'simulated'> {
  /** Connections of reads of the next reports in lists. */
  reads: ServiceSql;
  /** Shorter in tests. */
  waitTimeoutMs?: number;
}

/** The next report of one symbol. */
export type NextReport = Pick<ReportDate, 'date' | 'when'>;

export interface ReportsResult {
  /** `sample` is true for reports of the simulator. */
  reports: (ReportDate & { sample: boolean })[];
  complete: boolean;
}

/** Fetched reports of the companies for which the fetch succeeded. */
export interface FetchedResult extends FetchOutcome {
  fetched: FetchedReports[];
}

/** Creates the reports service, with a cache of twelve hours per symbol. */
export function createReports(deps: ReportsDependencies) {
  const { sql, reads, providers, now, waitTimeoutMs = MEMBER_WAIT_TIMEOUT_MS } = deps;
  const range = (): DateRange => getUpcomingRange(marketCalendar.toNewYorkDate(now()));
  // The simulator is used only if there is no other provider.
  const sample = providers.available('earnings').some(({ id }) => id === 'simulator');
  const scanMarket = createMarketScan({ ...deps, range, sample });
  const fetchBySymbol = createFetchBySymbol({ ...deps, range, sample });

  /** Scans the market if many companies are missing. Companies that calendars or plans omit are fetched one by one. */
  async function fetchMissing(companies: readonly string[], missing: readonly string[]): Promise<FetchOutcome> {
    const hasScanProvider = providers
      .available('earnings')
      .some(({ supportsMarketWideEarnings: earningsForAll }) => earningsForAll);
    if (missing.length <= MAX_WITHOUT_SCAN || !hasScanProvider) return fetchBySymbol(missing);
    if (!(await scanMarket(missing))) return RETRY_LATER;
    return fetchBySymbol(await listMissingReports(sql, companies, sample));
  }

  /**
   * Fetches the missing reports of companies. Waits at most the time of a member request, or until the end if
   * `untilDone`.
   */
  async function ensureFetched(symbols: readonly string[], untilDone: boolean): Promise<FetchOutcome> {
    const companies = await listReportingStocks(sql, symbols, sample);
    const missing = companies.filter(({ settled }) => !settled).map(({ symbol }) => symbol);
    if (missing.length === 0) return COMPLETE;
    const fetching = fetchMissing(
      companies.map(({ symbol }) => symbol),
      missing,
    );
    return untilDone ? fetching : withTimeout(waitTimeoutMs, fetching, () => RETRY_LATER);
  }

  return {
    async earnings(
      symbols: readonly string[],
      requestedRange: DateRange,
      { untilDone = false }: { untilDone?: boolean } = {},
    ): Promise<ReportsResult> {
      const { complete } = await ensureFetched(symbols, untilDone);
      const reports = await readReports(sql, symbols, requestedRange.from);
      return { reports: reports.filter(isInRange(requestedRange)).sort(compareByDate), complete };
    },

    async fetch(symbols: readonly string[]): Promise<FetchedResult> {
      const outcome = await ensureFetched(symbols, true);
      return { ...outcome, fetched: await listFetchedReports(sql, symbols, sample) };
    },

    async nextReports(symbols: readonly string[]): Promise<Map<string, NextReport>> {
      if (symbols.length === 0) return new Map();
      const rows = await readNextReports(reads, symbols, marketCalendar.toNewYorkDate(now()));
      return new Map(rows.map(({ symbol, date, when }) => [symbol, { date, when }]));
    },
  };
}
