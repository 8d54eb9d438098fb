import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { type DeferredQueryResult, useDeferredQuery } from '../../../../ui/kit/use-deferred-query.ts';
import { formatNewYorkDay, getNewYorkToday } from '../../../../ui/kit/new-york-time.ts';
import type { Watchlist, WatchedEarnings } from '../../contract.ts';

export const watchlistQueryKey = ['watchlist'] as const;
/** Mutation key of every change of the list, to check for running mutations. */
export const watchlistMutationKey = ['watchlist', 'change'] as const;

const MINUTE_MS = 60_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;

export const fetchWatchlist = (signal?: AbortSignal): Promise<Watchlist> => callApi('GET /api/watchlist', { signal });

/** Reads the member's watchlist. The result is null outside the rollout. */
export const watchlistQuery = queryOptions<Watchlist | null>({
  queryKey: watchlistQueryKey,
  queryFn: async ({ signal, client }) => {
    try {
      const list = await fetchWatchlist(signal);
      // Unsaved changes of this tab stay on screen. The list is refetched after the changes are saved.
      return client.isMutating({ mutationKey: watchlistMutationKey }) > 0
        ? (client.getQueryData<Watchlist>(watchlistQueryKey) ?? list)
        : list;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  },
});

/**
 * Returns the member's watchlist. Refetches during trading and when the market session changes. Reads nothing if the
 * watchlist is not offered.
 */
export function useWatchlist(isOffered = true): DeferredQueryResult<Watchlist | null> {
  const list = useQuery({
    ...watchlistQuery,
    enabled: isOffered,
    refetchInterval: ({ state }) => getRefetchInterval(state.data?.market),
    // Another tab may have changed the list.
    refetchOnWindowFocus: ({ state }) => (state.data === null ? false : 'always'),
  });
  return useDeferredQuery(list);
}

const HOUR_MS = 60 * MINUTE_MS;
/** Time in ms by which a timer may fire too early, or the service may need for a change. */
const REFETCH_GRACE_MS = 1_000;

/**
 * Returns the time in ms until the next refetch: as long as the session is valid, so that the shown one is at most a
 * minute old, and at most 15 minutes during trading or one hour while closed. The device's clock has no part in it.
 */
export function getRefetchInterval(market: Watchlist['market'] | undefined): number | false {
  if (!market) return false;
  const validMs = market.session_valid_seconds * 1_000 + REFETCH_GRACE_MS;
  return Math.min(validMs, market.session === 'closed' ? HOUR_MS : QUARTER_HOUR_MS);
}

/** Changes the cached list. Does nothing if the list is not loaded. */
export function updateCachedWatchlist(queries: QueryClient, change: (list: Watchlist) => Watchlist): void {
  queries.setQueryData<Watchlist | null>(watchlistQueryKey, (list) => list && change(list));
}

export type ReportWithChip = WatchedEarnings['earnings'][number];

/** Next report of each watched company with an earnings chip, by symbol. */
export type ReportBySymbol = ReadonlyMap<string, ReportWithChip>;

const reportsQueryKey = ['watchlist', 'earnings'] as const;

/** Has no request of its own: only a shown list with companies sends one. */
export const prefetchedReportsQuery = {
  queryKey: reportsQueryKey,
  queryFn: () => Promise.reject(new Error('The reports were not prefetched.')),
};

/**
 * Returns the reports for earnings chips. Chips count from the day of their response. They are refetched at New York's
 * midnight and not shown on the next day.
 */
export function useUpcomingReports(enabled: boolean): ReportBySymbol | undefined {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: reportsQueryKey,
    queryFn: ({ signal }) => callApi('GET /api/watchlist/earnings', { signal }),
    enabled,
    staleTime: QUARTER_HOUR_MS,
    refetchInterval: () => getMsUntilNextHour(Date.now()),
    // The start of a fetch also renders the rows, so that yesterday's chips disappear before the next response.
    notifyOnChangeProps: ['data', 'dataUpdatedAt', 'fetchStatus'],
    select: indexUpcomingReports,
  });
  return formatNewYorkDay(new Date(dataUpdatedAt)) === getNewYorkToday() ? data : undefined;
}

/** Delay in ms after which the service has processed a new day. */
const MIDNIGHT_DELAY_MS = 5_000;

/**
 * Returns the time in ms until the next full hour, which includes New York's midnight in every time zone. The delay
 * lets the service process the change.
 */
export const getMsUntilNextHour = (now: number): number => HOUR_MS - ((now - MIDNIGHT_DELAY_MS) % HOUR_MS);

const indexUpcomingReports = ({ earnings }: WatchedEarnings): ReportBySymbol => {
  const reportBySymbol = new Map<string, ReportWithChip>();
  for (const report of earnings)
    if (report.chip !== null && !reportBySymbol.has(report.symbol)) reportBySymbol.set(report.symbol, report);
  return reportBySymbol;
};

/** Returns the name of a security of the cached list, if it is watched. */
export const readWatchedName = (queries: QueryClient, symbol: string): string | null =>
  queries.getQueryData<Watchlist | null>(watchlistQueryKey)?.items.find((item) => item.symbol === symbol)?.name ?? null;
