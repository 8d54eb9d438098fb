import type { ServiceSql } from '../database/roles.ts';
import type { Asking } from './ask-providers.ts';
import { marketCalendar } from './market-calendar.ts';
import type { Answer, DateRange, MarketDataProvider, ReportDate } from './port.ts';
import type { CachedReport } from './report-queries.ts';
import { cachedReports, keepReports, nextReportsOf, stocksAmong, stocksInUse } from './report-queries.ts';

/** How far ahead a symbol's reports are fetched and kept, whatever range is asked for. */
const AHEAD_DAYS = 90;
/** More missing symbols than this are found by one look at the whole market, where the provider offers that. */
const FEW = 5;
/** Symbols asked for one by one in one request at most; the rest follows with the next. */
const MOST_AT_ONCE = 25;
const CALL_MS = 8_000;

export interface ReportsDependencies {
  sql: ServiceSql;
  /** Where lists read the next reports, which they can go without. */
  optional: ServiceSql;
  asking: Asking;
  now: () => Date;
}

/** Reports of companies with a cache of twelve hours for each symbol. Calls of one process for the same missing symbols share one fetch. */
export function createReports({ sql, optional, asking, now }: ReportsDependencies) {
  const underWay = new Map<string, Promise<boolean>>();

  const fetchOnce = (missing: readonly string[]): Promise<boolean> => {
    const key = missing.join(' ');
    let fetching = underWay.get(key);
    if (!fetching) {
      fetching = fetchReports({ sql, asking, now }, missing).finally(() => underWay.delete(key));
      underWay.set(key, fetching);
    }
    return fetching;
  };

  return {
    async earnings(symbols: readonly string[], range: DateRange): Promise<{ reports: ReportDate[]; complete: boolean }> {
      const companies = await stocksAmong(sql, symbols);
      if (companies.length === 0) return { reports: [], complete: true };
      let cached = await cachedReports(sql, companies);
      const fresh = new Set(cached.filter((entry) => entry.fresh).map(({ symbol }) => symbol));
      const missing = companies.filter((symbol) => !fresh.has(symbol));
      let complete = true;
      if (missing.length > 0) {
        complete = await fetchOnce(missing);
        cached = await cachedReports(sql, companies);
      }
      const reports = cached
        .flatMap(({ symbol, reports: kept }) => kept.map((report) => ({ symbol, ...report })))
        .filter(({ date }) => date >= range.from && date <= range.to)
        .sort((a, b) => (a.date === b.date ? (a.symbol < b.symbol ? -1 : 1) : a.date < b.date ? -1 : 1));
      return { reports, complete };
    },

    async nextReports(symbols: readonly string[]): Promise<Map<string, { date: string; when: 'bmo' | 'amc' | null }>> {
      if (symbols.length === 0) return new Map();
      const rows = await nextReportsOf(optional, symbols, marketCalendar.newYorkDate(now()));
      return new Map(rows.map(({ symbol, date, when }) => [symbol, { date, when }]));
    },
  };
}

/** Asks for what is missing and keeps it. False: something could not be asked, the budget being spent or the provider away. */
async function fetchReports({ sql, asking, now }: Omit<ReportsDependencies, 'optional'>, missing: readonly string[]): Promise<boolean> {
  const from = marketCalendar.newYorkDate(now());
  const range = { from, to: new Date(Date.parse(from) + AHEAD_DAYS * 86_400_000).toISOString().slice(0, 10) };
  const [provider] = asking.able('earnings');
  if (!provider) return false;
  if (missing.length > FEW && provider.earningsForAll) {
    const wanted = [...new Set([...(await stocksInUse(sql)), ...missing])];
    const { found, complete } = await askForAll(asking, wanted, range);
    // That a company reports nothing is known only where everyone who might know has answered.
    await keepReports(sql, bySymbol(complete ? wanted : wanted.filter((symbol) => found.has(symbol)), [...found.values()].flat()));
    return complete;
  }
  let complete = missing.length <= MOST_AT_ONCE;
  for (const symbol of missing.slice(0, MOST_AT_ONCE)) {
    const answer = await asking.ask('earnings', (candidate) => candidate.earnings([symbol], range, AbortSignal.timeout(CALL_MS)).then(elseUnknown), knowsHours);
    if (answer.ok) await keepReports(sql, bySymbol([symbol], answer.value));
    else if (answer.reason === 'unknown') await keepReports(sql, [{ symbol, reports: [] }]);
    else {
      complete = false;
      break;
    }
  }
  return complete;
}

const knowsHours = ({ knowsHours: knows }: MarketDataProvider): boolean => knows;

/** A company without a report may be one that this provider does not follow: the next one is asked. */
const elseUnknown = (answer: Answer<ReportDate[]>): Answer<ReportDate[]> => (answer.ok && answer.value.length === 0 ? { ok: false, reason: 'unknown' } : answer);

/** The whole market's reports; of a company that the first provider leaves out, the next one's. */
async function askForAll(asking: Asking, wanted: readonly string[], range: DateRange): Promise<{ found: Map<string, ReportDate[]>; complete: boolean }> {
  const found = new Map<string, ReportDate[]>();
  const last = await asking.ask(
    'earnings',
    async (candidate) => {
      const answer = await candidate.earnings('all', range, AbortSignal.timeout(2 * CALL_MS));
      if (!answer.ok) return answer;
      for (const [symbol, reports] of Map.groupBy(answer.value, (report) => report.symbol)) if (!found.has(symbol)) found.set(symbol, reports);
      return wanted.every((symbol) => found.has(symbol)) ? answer : { ok: false, reason: 'unknown' };
    },
    knowsHours,
  );
  return { found, complete: last.ok || last.reason === 'unknown' };
}

function bySymbol(symbols: readonly string[], reports: readonly ReportDate[]): { symbol: string; reports: CachedReport[] }[] {
  const lists = new Map<string, CachedReport[]>(symbols.map((symbol) => [symbol, []]));
  for (const { symbol, ...report } of reports) lists.get(symbol)?.push(report);
  return [...lists].map(([symbol, list]) => ({ symbol, reports: list }));
}
