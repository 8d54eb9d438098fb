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

/** How far ahead a symbol's reports are fetched and kept, whatever range is asked for. */
const AHEAD_DAYS = 90;
/** More missing symbols than this are found by a market-wide scan, where the provider offers that. */
const MAX_WITHOUT_SCAN = 5;
/** How long a member waits; what is not there by then is fetched behind the answer. */
const MEMBER_WAIT_TIMEOUT_MS = 8_000;

/** The dates (YYYY-MM-DD) between which reports are upcoming: today in New York and 90 days on. */
export const getUpcomingRange = (today: string): DateRange => ({ from: today, to: addDays(today, AHEAD_DAYS) });

interface ReportsDependencies extends Omit<MarketContext, 'simulated'> {
  /** Where lists read the next reports, which they can go without. */
  optional: ServiceSql;
  /** Tests wait less. */
  waitTimeoutMs?: number;
}

/** The next report of one symbol. */
export type NextReport = Pick<ReportDate, 'date' | 'when'>;

export interface ReportsResult {
  /** `sample`: it is the simulator's. */
  reports: (ReportDate & { sample: boolean })[];
  complete: boolean;
}

/** What was fetched of companies, as far as they are there. */
export interface FetchedResult extends FetchOutcome {
  fetched: FetchedReports[];
}

/** Reports of companies, with a cache of twelve hours for each symbol. */
export function createReports(deps: ReportsDependencies) {
  const { sql, optional, providers, now, waitTimeoutMs = MEMBER_WAIT_TIMEOUT_MS } = deps;
  const range = (): DateRange => getUpcomingRange(marketCalendar.toNewYorkDate(now()));
  // The simulator answers where there is no provider, and never beside one.
  const sample = providers.available('earnings').some(({ id }) => id === 'simulator');
  const scanMarket = createMarketScan({ ...deps, range, sample });
  const fetchBySymbol = createFetchBySymbol({ ...deps, range, sample });

  /** Scans the market where many are missing; what calendars and plans leave out is fetched one by one. */
  async function fetchMissing(companies: readonly string[], missing: readonly string[]): Promise<FetchOutcome> {
    const hasScanProvider = providers
      .available('earnings')
      .some(({ supportsMarketWideEarnings: earningsForAll }) => earningsForAll);
    if (missing.length <= MAX_WITHOUT_SCAN || !hasScanProvider) return fetchBySymbol(missing);
    if (!(await scanMarket(missing))) return RETRY_LATER;
    return fetchBySymbol(await listMissingReports(sql, companies, sample));
  }

  /** Fetches what is missing of these companies; waits a member's time at most, else to the end (`untilDone`). */
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
      const rows = await readNextReports(optional, symbols, marketCalendar.toNewYorkDate(now()));
      return new Map(rows.map(({ symbol, date, when }) => [symbol, { date, when }]));
    },
  };
}
