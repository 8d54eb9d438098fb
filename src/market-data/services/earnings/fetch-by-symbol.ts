import type { DateRange, ProviderError } from '../../domain/market-data-provider.ts';
import type { MarketContext } from '../shared/market-context.ts';
import { groupBySymbol, storeReports, listMissingReports } from './report-queries.ts';
import { hasReportHours } from './scan-market-reports.ts';

/**
 * Progress of a fetch. `notCovered` means that no plan of the keys covers the missing companies, so that a retry does
 * not help.
 */
export interface FetchOutcome {
  complete: boolean;
  notCovered: boolean;
}

export const COMPLETE: FetchOutcome = { complete: true, notCovered: false };
export const RETRY_LATER: FetchOutcome = { complete: false, notCovered: false };
const NOT_COVERED: FetchOutcome = { complete: false, notCovered: true };

/** Maximum number of symbols fetched one by one per request. The next request fetches the rest. */
const MAX_SYMBOLS = 25;
/** Consecutive failures that end a fetch. A single failure must not block the companies behind it. */
const MAX_CONSECUTIVE_FAILURES = 3;
/** Timeout in ms of the fetches of single companies, which may continue after the response. */
const FETCH_TIMEOUT_MS = 60_000;
const LEASE_TTL_MS = 20_000;

interface FetchDependencies extends Pick<MarketContext, 'sql' | 'providers' | 'singleFlight'> {
  /** Returns the dates that are stored. */
  range: () => DateRange;
  /** True if the simulator is the provider. */
  sample: boolean;
}

/** Fetches and stores the reports of companies one by one, each once across processes. */
export function createFetchBySymbol({ sql, providers, singleFlight, range, sample }: FetchDependencies) {
  /** Fetches and stores the reports of one company. Returns the reason if the fetch failed. */
  async function fetchOne(symbol: string, signal: AbortSignal): Promise<ProviderError['reason'] | undefined> {
    const answer = await providers.call('earnings', (provider) => provider.earnings([symbol], range(), signal), {
      prefer: hasReportHours,
      // An empty result may mean that this provider does not cover the company.
      isEmpty: (reports) => reports.length === 0,
    });
    // If the plan omits only this company, a retry does not help, so the fetch counts as answered.
    const isUncovered = !answer.ok && answer.reason === 'not_entitled' && providers.available('earnings').length > 0;
    if (!answer.ok && answer.reason !== 'unknown' && !isUncovered) return answer.reason;
    await storeReports(sql, groupBySymbol([symbol], answer.ok ? answer.value : []), sample);
    return undefined;
  }

  /** The reason is wrapped in an object, because a shared result is JSON. */
  const fetchShared = (symbol: string, signal: AbortSignal) =>
    singleFlight<{ reason?: ProviderError['reason'] | undefined }>({
      key: `earnings:${symbol}`,
      call: async () => ({ reason: await fetchOne(symbol, signal) }),
      readStored: async () => ((await listMissingReports(sql, [symbol], sample)).length === 0 ? {} : undefined),
      leaseTtlMs: LEASE_TTL_MS,
    });

  return async (symbols: readonly string[]): Promise<FetchOutcome> => {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    let isComplete = symbols.length <= MAX_SYMBOLS;
    let failures = 0;
    for (const symbol of symbols.slice(0, MAX_SYMBOLS)) {
      const { reason } = await fetchShared(symbol, signal);
      if (reason === undefined) {
        failures = 0;
        continue;
      }
      isComplete = false;
      failures += 1;
      if (reason === 'not_entitled') return NOT_COVERED;
      if (reason !== 'upstream' || failures === MAX_CONSECUTIVE_FAILURES) return RETRY_LATER;
    }
    return isComplete ? COMPLETE : RETRY_LATER;
  };
}
