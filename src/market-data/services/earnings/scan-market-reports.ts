import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, DateRange, MarketDataProvider, Refusal, ReportDate } from '../../domain/market-data-provider.ts';
import { bySymbol, claimScan, finishScan, keepReports, releaseScan, stocksInUse } from './report-queries.ts';
import { weeksOf } from '../../domain/dates.ts';
import type { MarketContext } from '../shared/market-context.ts';

/** A scan ends after this time, well before its claim does. */
const SCAN_MS = 60_000;
/** Weeks of an unfinished scan are not asked for again for so long. */
const REMEMBER_MS = 60 * 60_000;
const POLL_MS = 250;

interface MarketScanDependencies extends Pick<MarketContext, 'sql' | 'providers' | 'logger'> {
  /** The dates that are kept. */
  range: () => DateRange;
  /** Whether the simulator answers. */
  sample: boolean;
}

export const knowsHours = ({ knowsHours: knows }: MarketDataProvider): boolean => knows;

/**
 * Scans the whole market's reports and keeps those of all companies in use and of the given ones; single-flight in this
 * process, claimed across processes. True: the calendars were read in the last hour, so that what is still missing is
 * not in them.
 */
export function createMarketScan(deps: MarketScanDependencies): (symbols: readonly string[]) => Promise<boolean> {
  const { sql, providers, logger, range, sample } = deps;
  const requested = new Set<string>();
  const weeks = new Map<string, { answer: Answer<ReportDate[]>; until: number }>();
  let inFlight: Promise<boolean> | undefined;

  /** A week from memory or from the provider. What a plan leaves out is remembered too. */
  async function readWeek(
    provider: MarketDataProvider,
    week: DateRange,
    signal: AbortSignal,
  ): Promise<Answer<ReportDate[]>> {
    const key = `${provider.id} ${week.from} ${week.to}`;
    const known = weeks.get(key);
    if (known && known.until > performance.now()) return known.answer;
    const answer = await provider.earnings('all', week, signal);
    if (answer.ok || answer.reason === 'not_entitled')
      weeks.set(key, { answer, until: performance.now() + REMEMBER_MS });
    if (!answer.ok && answer.reason === 'not_entitled') {
      logger.warn(
        { provider: provider.id },
        'the plan of the market-data key does not cover the calendar of all reports; ' +
          'companies are asked for one by one',
      );
    }
    return answer;
  }

  /** A calendar outside the plan counts as read: its companies are asked for one by one. */
  async function readCalendar(
    provider: MarketDataProvider,
    signal: AbortSignal,
  ): Promise<{ reports: ReportDate[]; refusal?: Refusal }> {
    const reports: ReportDate[] = [];
    for (const week of provider.earningsForAll ? weeksOf(range()) : []) {
      const answer = await readWeek(provider, week, signal);
      if (!answer.ok) return answer.reason === 'not_entitled' ? { reports } : { reports, refusal: answer };
      reports.push(...answer.value);
    }
    return { reports };
  }

  /** Reads the providers' calendars until all companies are found; of one company the first provider's count. */
  async function scan(signal: AbortSignal): Promise<boolean> {
    const inUse = await stocksInUse(sql);
    const wanted = (): string[] => [...new Set([...inUse, ...requested])];
    const found = new Map<string, ReportDate[]>();
    const last = await providers.call<true>(
      'earnings',
      async (provider) => {
        const { reports, refusal } = await readCalendar(provider, signal);
        for (const [symbol, theirs] of Map.groupBy(reports, (report) => report.symbol))
          if (!found.has(symbol)) found.set(symbol, theirs);
        if (refusal) return refusal;
        return wanted().every((symbol) => found.has(symbol))
          ? { ok: true, value: true }
          : { ok: false, reason: 'unknown' };
      },
      { prefer: knowsHours },
    );
    const companies = wanted().filter((symbol) => found.has(symbol));
    await keepReports(sql, bySymbol(companies, [...found.values()].flat()), sample);
    const complete = last.ok || last.reason === 'unknown';
    if (complete) weeks.clear();
    return complete;
  }

  async function scanOnce(): Promise<boolean> {
    const signal = AbortSignal.timeout(SCAN_MS);
    const sources = providers
      .available('earnings')
      .map(({ id }) => id)
      .join('+');
    for (;;) {
      const claim = await claimScan(sql, sources);
      if (claim === 'done') return true;
      if (claim === 'mine') break;
      if (signal.aborted) return false;
      await sleep(POLL_MS);
    }
    let complete = false;
    try {
      complete = await scan(signal);
    } finally {
      await (complete ? finishScan(sql, sources) : releaseScan(sql, sources));
    }
    return complete;
  }

  return (symbols) => {
    for (const symbol of symbols) requested.add(symbol);
    inFlight ??= scanOnce().finally(() => {
      inFlight = undefined;
      requested.clear();
    });
    return inFlight;
  };
}
