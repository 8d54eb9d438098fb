import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { type DeferredQueryResult, useDeferredQuery } from '../../../../ui/kit/use-deferred-query.ts';
import { formatNewYorkDay, getNewYorkToday } from '../../../../ui/shell/market/new-york-time.ts';
import type { Watchlist, WatchedEarnings } from '../../contract.ts';

export const watchlistQueryKey = ['watchlist'] as const;
/** Every change of the list has this key, so that one can ask whether another is still under way. */
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
      // Unsaved changes of this tab stay on screen. The list is read again after they are saved.
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
 * Returns the member's watchlist. It is read again during trading and when the market session changes. It is not read
 * unless the watchlist is offered.
 */
export function useWatchlist(isOffered = true): DeferredQueryResult<Watchlist | null> {
  const list = useQuery({
    ...watchlistQuery,
    enabled: isOffered,
    refetchInterval: ({ state }) => getRefetchInterval(state.data?.market, Date.now()),
    // Another tab may have changed the list.
    refetchOnWindowFocus: ({ state }) => (state.data === null ? false : 'always'),
  });
  return useDeferredQuery(list);
}

const HOUR_MS = 60 * MINUTE_MS;
/** The service has noticed the change of session by then. */
const REFETCH_GRACE_MS = 5_000;

/**
 * Milliseconds until the list is read again: while there is trading every quarter of an hour, and at each change of
 * session. Never longer than an hour: a timer stands still while the device sleeps. Never shorter than a minute,
 * whatever the device's clock says.
 */
export function getRefetchInterval(market: Watchlist['market'] | undefined, now: number): number | false {
  if (!market) return false;
  const change = Date.parse(market.next_change_at) - now + REFETCH_GRACE_MS;
  return Math.max(MINUTE_MS, Math.min(change, market.session === 'closed' ? HOUR_MS : QUARTER_HOUR_MS));
}

/** Changes the list in memory; nothing while it has not been read. */
export function updateCachedWatchlist(queries: QueryClient, change: (list: Watchlist) => Watchlist): void {
  queries.setQueryData<Watchlist | null>(watchlistQueryKey, (list) => list && change(list));
}

export type ReportWithChip = WatchedEarnings['earnings'][number];

/** The next report of each watched company that has an earnings chip, by symbol. */
export type ReportBySymbol = ReadonlyMap<string, ReportWithChip>;

/** Chips count from the day of their answer: it is read again at New York's midnight, and not shown on the next day. */
export function useUpcomingReports(enabled: boolean): ReportBySymbol | undefined {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['watchlist', 'earnings'],
    queryFn: ({ signal }) => callApi('GET /api/watchlist/earnings', { signal }),
    enabled,
    staleTime: QUARTER_HOUR_MS,
    refetchInterval: () => getMsUntilNextHour(Date.now()),
    // The start of a fetch draws the rows too: an answer of yesterday goes without waiting for the next.
    notifyOnChangeProps: ['data', 'dataUpdatedAt', 'fetchStatus'],
    select: indexUpcomingReports,
  });
  return formatNewYorkDay(new Date(dataUpdatedAt)) === getNewYorkToday() ? data : undefined;
}

/** New York's midnight is at a full hour everywhere; the service has noticed it by then. */
export const getMsUntilNextHour = (now: number): number => HOUR_MS - ((now - REFETCH_GRACE_MS) % HOUR_MS);

const indexUpcomingReports = ({ earnings }: WatchedEarnings): ReportBySymbol => {
  const reportBySymbol = new Map<string, ReportWithChip>();
  for (const report of earnings)
    if (report.chip !== null && !reportBySymbol.has(report.symbol)) reportBySymbol.set(report.symbol, report);
  return reportBySymbol;
};
