import { setTimeout as sleep } from 'node:timers/promises';
import type { DateRange, MarketDataProvider, ReportDate } from '../../domain/market-data-provider.ts';
import type { MarketContext } from '../shared/market-context.ts';
import { createCalendarReader } from './read-calendar.ts';
import { groupBySymbol, claimScan, finishScan, storeReports, releaseScan, listStocksInUse } from './report-queries.ts';

/** Timeout of a scan in ms, well below the duration of its claim. */
const SCAN_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 250;

interface MarketScanDependencies extends Pick<MarketContext, 'sql' | 'providers' | 'logger'> {
  /** Returns the dates that are stored. */
  range: () => DateRange;
  /** True if the simulator is the provider. */
  sample: boolean;
}

export const hasReportHours = ({ hasReportHours: hasHours }: MarketDataProvider): boolean => hasHours;

/**
 * Creates the market-wide scan, which stores the reports of all companies in use and of the given ones. The scan is
 * single-flight in this process and claimed across processes. Returns true if all calendars were read within the last
 * hour. A company that is still missing then has no report in them.
 */
export function createMarketScan(deps: MarketScanDependencies): (symbols: readonly string[]) => Promise<boolean> {
  const { sql, providers, logger, range, sample } = deps;
  const calendars = createCalendarReader(logger, range);
  /** Symbols of all callers of the running scan. */
  const requestedSymbols = new Set<string>();
  let inFlight: Promise<boolean> | undefined;

  /**
   * Reads the providers' calendars until all companies are found. If several list a company, the first provider wins.
   */
  async function scan(signal: AbortSignal): Promise<boolean> {
    const inUse = await listStocksInUse(sql);
    const listWantedSymbols = (): string[] => [...new Set([...inUse, ...requestedSymbols])];
    const found = new Map<string, ReportDate[]>();
    const result = await providers.call(
      'earnings',
      async (provider) => {
        const { reports, error } = await calendars.read(provider, signal);
        for (const [symbol, symbolReports] of Map.groupBy(reports, (report) => report.symbol))
          if (!found.has(symbol)) found.set(symbol, symbolReports);
        return error ?? { ok: true, value: listWantedSymbols().every((symbol) => found.has(symbol)) };
      },
      // If some companies are missing, the next provider may list them.
      { prefer: hasReportHours, isEmpty: (hasAll) => !hasAll },
    );
    const companies = listWantedSymbols().filter((symbol) => found.has(symbol));
    await storeReports(sql, groupBySymbol(companies, [...found.values()].flat()), sample);
    const complete = result.ok || result.reason === 'unknown';
    if (complete) calendars.clear();
    return complete;
  }

  async function scanOnce(): Promise<boolean> {
    const signal = AbortSignal.timeout(SCAN_TIMEOUT_MS);
    const sources = providers
      .available('earnings')
      .map(({ id }) => id)
      .join('+');
    let claim = await claimScan(sql, sources);
    while (claim === 'busy' && !signal.aborted) {
      await sleep(POLL_INTERVAL_MS);
      claim = await claimScan(sql, sources);
    }
    if (claim !== 'claimed') return claim === 'done';
    let complete = false;
    try {
      complete = await scan(signal);
    } finally {
      if (complete) await finishScan(sql, sources);
      else await releaseScan(sql, sources);
    }
    return complete;
  }

  return (symbols) => {
    for (const symbol of symbols) requestedSymbols.add(symbol);
    inFlight ??= scanOnce().finally(() => {
      inFlight = undefined;
      requestedSymbols.clear();
    });
    return inFlight;
  };
}
