import { type QueryClient, useQuery } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { type Reading, useDeferredReading } from '../../../../ui/kit/use-deferred-reading.ts';
import { newYorkDay } from '../../../../ui/shell/market/new-york-time.ts';
import type { Watchlist, WatchedEarnings } from '../../contract.ts';

export const LIST = ['watchlist'] as const;
/** Every change of the list has this key, so that one can ask whether another is still under way. */
export const CHANGE = ['watchlist', 'change'] as const;

const MINUTE = 60_000;
const QUARTER_HOUR = 15 * MINUTE;

export const readList = (signal?: AbortSignal): Promise<Watchlist> => callApi('GET /api/watchlist', { signal });

/**
 * The member's watchlist; null outside the rollout. It is read again while there is trading, and when the session
 * changes. It is not asked for where it is not `offered`.
 */
export function useWatchlist(offered = true): Reading<Watchlist | null> {
  const list = useQuery({
    enabled: offered,
    queryKey: LIST,
    queryFn: async ({ signal, client }) => {
      try {
        const list = await readList(signal);
        // What this tab has changed and not saved yet stays on screen; it is read again once it is saved.
        return client.isMutating({ mutationKey: CHANGE }) > 0 ? (client.getQueryData<Watchlist>(LIST) ?? list) : list;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: ({ state }) => readAgainIn(state.data?.market, Date.now()),
    // Another tab may have changed the list.
    refetchOnWindowFocus: ({ state }) => (state.data === null ? false : 'always'),
  });
  return useDeferredReading(list);
}

const HOUR = 60 * MINUTE;
/** The service has noticed the change of session by then. */
const GRACE = 5_000;

/**
 * Milliseconds until the list is read again: while there is trading every quarter of an hour, and at each change of
 * session. Never longer than an hour: a timer stands still while the device sleeps. Never shorter than a minute,
 * whatever the device's clock says.
 */
export function readAgainIn(market: Watchlist['market'] | undefined, now: number): number | false {
  if (!market) return false;
  const change = Date.parse(market.next_change_at) - now + GRACE;
  return Math.max(MINUTE, Math.min(change, market.session === 'closed' ? HOUR : QUARTER_HOUR));
}

/** Changes the list in memory; nothing while it has not been read. */
export function changeList(queries: QueryClient, change: (list: Watchlist) => Watchlist): void {
  queries.setQueryData<Watchlist | null>(LIST, (list) => list && change(list));
}

/** Market days until the report of each watched company that reports within seven days, by symbol. */
export function useReportDays(enabled: boolean): ReadonlyMap<string, number> | undefined {
  const { data } = useQuery({
    queryKey: ['watchlist', 'earnings'],
    queryFn: ({ signal }) => callApi('GET /api/watchlist/earnings', { signal }),
    enabled,
    staleTime: QUARTER_HOUR,
    select: daysOf,
  });
  return data;
}

const WEEK_MS = 7 * 24 * 60 * 60_000;

const daysOf = ({ earnings }: WatchedEarnings): ReadonlyMap<string, number> => {
  const last = newYorkDay(new Date(Date.now() + WEEK_MS));
  const days = new Map<string, number>();
  for (const { symbol, date, market_days: away } of earnings)
    if (date <= last && !days.has(symbol)) days.set(symbol, away);
  return days;
};
