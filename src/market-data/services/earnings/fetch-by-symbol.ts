import type { DateRange, ProviderError } from '../../domain/market-data-provider.ts';
import type { MarketContext } from '../shared/market-context.ts';
import { groupBySymbol, storeReports, listMissingReports } from './report-queries.ts';
import { hasReportHours } from './scan-market-reports.ts';

/** How far a fetch came. `notCovered`: no plan of the keys covers what is missing, so that asking again does not help. */
export interface FetchOutcome {
  complete: boolean;
  notCovered: boolean;
}

export const COMPLETE: FetchOutcome = { complete: true, notCovered: false };
export const RETRY_LATER: FetchOutcome = { complete: false, notCovered: false };
const NOT_COVERED: FetchOutcome = { complete: false, notCovered: true };

/** Symbols fetched one by one in one request at most; the rest follows with the next. */
const MAX_SYMBOLS = 25;
/** So many failures in a row are a provider in trouble; a single one must not keep the companies behind it waiting. */
const MAX_CONSECUTIVE_FAILURES = 3;
/** How long single companies are fetched, behind the answer too. */
const FETCH_TIMEOUT_MS = 60_000;
const LEASE_TTL_MS = 20_000;

interface FetchDependencies extends Pick<MarketContext, 'sql' | 'providers' | 'singleFlight'> {
  /** The dates that are kept. */
  range: () => DateRange;
  /** Whether the simulator answers. */
  sample: boolean;
}

/** Fetches and keeps the reports of companies one by one, each once for all processes. */
export function createFetchBySymbol({ sql, providers, singleFlight, range, sample }: FetchDependencies) {
  /** Fetches the reports of one company and keeps them; the reason where that failed. */
  async function fetchOne(symbol: string, signal: AbortSignal): Promise<ProviderError['reason'] | undefined> {
    const answer = await providers.call('earnings', (provider) => provider.earnings([symbol], range(), signal), {
      prefer: hasReportHours,
      // A company without a report may be one that this provider does not follow.
      isEmpty: (reports) => reports.length === 0,
    });
    // A plan that leaves out this company alone has answered, as far as it ever will.
    const isUncovered = !answer.ok && answer.reason === 'not_entitled' && providers.available('earnings').length > 0;
    if (!answer.ok && answer.reason !== 'unknown' && !isUncovered) return answer.reason;
    await storeReports(sql, groupBySymbol([symbol], answer.ok ? answer.value : []), sample);
    return undefined;
  }

  /** The reason stands in an object, since a shared result is JSON. */
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
