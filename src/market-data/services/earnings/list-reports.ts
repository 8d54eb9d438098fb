import type { ServiceSql } from '../../../platform/database/roles.ts';
import { within } from '../../../platform/http/within.ts';
import { createMarketScan, knowsHours } from './scan-market-reports.ts';
import { addDays, inRange } from '../../domain/dates.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import type { DateRange, Refusal, ReportDate } from '../../domain/market-data-provider.ts';
import {
  bySymbol,
  type FetchedReports,
  fetchedReports,
  keepReports,
  readNextReports,
  readReports,
  reportingAmong,
} from './report-queries.ts';
import { byDate } from '../../domain/sort-order.ts';
import type { MarketContext } from '../shared/market-context.ts';

/** How far ahead a symbol's reports are fetched and kept, whatever range is asked for. */
const AHEAD_DAYS = 90;
/** More missing symbols than this are found by a market-wide scan, where the provider offers that. */
const FEW = 5;
/** Symbols asked for one by one in one request at most; the rest follows with the next. */
const MOST_AT_ONCE = 25;
/** So many failures in a row are a provider in trouble; a single one must not keep the companies behind it waiting. */
const MOST_FAILURES = 3;
/** How long a member waits; what is not there by then is fetched behind the answer. */
const WAIT_MS = 8_000;
/** How long single companies are asked for, behind the answer too. */
const FETCH_MS = 60_000;

/** The dates (YYYY-MM-DD) between which reports are upcoming: today in New York and 90 days on. */
export const upcomingRange = (today: string): DateRange => ({ from: today, to: addDays(today, AHEAD_DAYS) });

interface ReportsDependencies extends Omit<MarketContext, 'simulated'> {
  /** Where lists read the next reports, which they can go without. */
  optional: ServiceSql;
  /** Tests wait less. */
  waitMs?: number;
}

/** The next report of one symbol. */
export type NextReport = Pick<ReportDate, 'date' | 'when'>;

export interface FoundReports {
  /** `sample`: it is the simulator's. */
  reports: (ReportDate & { sample: boolean })[];
  complete: boolean;
}

/** What was fetched of companies; of those left out nothing could be, and asking again helps unless `notCovered`. */
export interface FetchedAnswers {
  fetched: FetchedReports[];
  complete: boolean;
  /** Something is missing since no plan of the keys covers reports. */
  notCovered: boolean;
}

type Outcome = 'complete' | 'later' | 'not covered';

/**
 * Reports of companies with a cache of twelve hours for each symbol. More than a few missing ones are found by a
 * market-wide scan; what that leaves out is asked for one by one, since calendars are cut short and some plans have
 * none.
 */
export function createReports(deps: ReportsDependencies) {
  const { sql, optional, providers, logger, now, askOnce, waitMs = WAIT_MS } = deps;
  const ahead = (): DateRange => upcomingRange(marketCalendar.newYorkDate(now()));
  // The simulator answers where there is no provider, and never beside one.
  const isSample = providers.available('earnings').some(({ id }) => id === 'simulator');
  const scanMarket = createMarketScan({ sql, providers, logger, range: ahead, sample: isSample });

  /** Asks for one company and keeps the answer; the reason where there is none, told as an object to be shared. */
  async function askOne(symbol: string, signal: AbortSignal): Promise<Refusal['reason'] | undefined> {
    const { reason } = await askOnce<{ reason?: Refusal['reason'] | undefined }>({
      name: `earnings:${symbol}`,
      ask: async () => ({ reason: await askFor(symbol, signal) }),
      found: async () => ((await missingAmong([symbol])).length === 0 ? {} : undefined),
      leaseMs: 20_000,
    });
    return reason;
  }

  async function askFor(symbol: string, signal: AbortSignal): Promise<Refusal['reason'] | undefined> {
    const answer = await providers.call(
      'earnings',
      (provider) => provider.earnings([symbol], ahead(), signal),
      // A company without a report may be one that this provider does not follow.
      { prefer: knowsHours, isEmpty: (reports) => reports.length === 0 },
    );
    // A plan that leaves out this company alone has answered, as far as it ever will.
    const leftOut = !answer.ok && answer.reason === 'not_entitled' && providers.available('earnings').length > 0;
    if (!answer.ok && answer.reason !== 'unknown' && !leftOut) return answer.reason;
    await keepReports(sql, bySymbol([symbol], answer.ok ? answer.value : []), isSample);
    return undefined;
  }

  async function askOneByOne(symbols: readonly string[]): Promise<Outcome> {
    const signal = AbortSignal.timeout(FETCH_MS);
    let complete = symbols.length <= MOST_AT_ONCE;
    let inARow = 0;
    for (const symbol of symbols.slice(0, MOST_AT_ONCE)) {
      const reason = await askOne(symbol, signal);
      inARow = reason === undefined ? 0 : inARow + 1;
      if (reason === undefined) continue;
      complete = false;
      if (reason !== 'upstream' || inARow === MOST_FAILURES) return reason === 'not_entitled' ? 'not covered' : 'later';
    }
    return complete ? 'complete' : 'later';
  }

  async function fetchReports(symbols: readonly string[], missing: readonly string[]): Promise<Outcome> {
    if (missing.length <= FEW || !providers.available('earnings').some(({ earningsForAll }) => earningsForAll))
      return askOneByOne(missing);
    return (await scanMarket(missing)) ? askOneByOne(await missingAmong(symbols)) : 'later';
  }

  const missingAmong = async (symbols: readonly string[]): Promise<string[]> =>
    (await reportingAmong(sql, symbols, isSample)).filter(({ settled }) => !settled).map(({ symbol }) => symbol);

  /** Fetches what is missing of these companies; waits a member's time at most, else to the end (`untilDone`). */
  async function ensureFetched(symbols: readonly string[], untilDone: boolean): Promise<Outcome> {
    const companies = await reportingAmong(sql, symbols, isSample);
    const missing = companies.filter(({ settled }) => !settled).map(({ symbol }) => symbol);
    if (missing.length === 0) return 'complete';
    const names = companies.map(({ symbol }) => symbol);
    const fetching = fetchReports(names, missing);
    return untilDone ? fetching : within(waitMs, fetching, () => 'later' as const);
  }

  return {
    async earnings(
      symbols: readonly string[],
      range: DateRange,
      { untilDone = false }: { untilDone?: boolean } = {},
    ): Promise<FoundReports> {
      const outcome = await ensureFetched(symbols, untilDone);
      const reports = await readReports(sql, symbols, range.from);
      return { reports: reports.filter(inRange(range)).sort(byDate), complete: outcome === 'complete' };
    },

    async fetch(symbols: readonly string[]): Promise<FetchedAnswers> {
      const outcome = await ensureFetched(symbols, true);
      const fetched = await fetchedReports(sql, symbols, isSample);
      return { fetched, complete: outcome === 'complete', notCovered: outcome === 'not covered' };
    },

    async nextReports(symbols: readonly string[]): Promise<Map<string, NextReport>> {
      if (symbols.length === 0) return new Map();
      const rows = await readNextReports(optional, symbols, marketCalendar.newYorkDate(now()));
      return new Map(rows.map(({ symbol, date, when }) => [symbol, { date, when }]));
    },
  };
}
