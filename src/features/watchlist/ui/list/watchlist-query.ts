import { type QueryClient, useQuery } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { type Reading, useDeferredReading } from '../../../../ui/kit/use-deferred-reading.ts';
import { newYorkDay, newYorkToday } from '../../../../ui/shell/market/new-york-time.ts';
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

export type ReportSoon = WatchedEarnings['earnings'][number];

/** The next report of each watched company that has an earnings chip, by symbol. */
export type ReportsSoon = ReadonlyMap<string, ReportSoon>;

/** Chips count from the day of their answer: it is read again at New York's midnight, and not shown on the next day. */
export function useReportsSoon(enabled: boolean): ReportsSoon | undefined {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['watchlist', 'earnings'],
    queryFn: ({ signal }) => callApi('GET /api/watchlist/earnings', { signal }),
    enabled,
    staleTime: QUARTER_HOUR,
    refetchInterval: () => untilNextHour(Date.now()),
    // The start of a fetch draws the rows too: an answer of yesterday goes without waiting for the next.
    notifyOnChangeProps: ['data', 'dataUpdatedAt', 'fetchStatus'],
    select: reportsSoon,
  });
  return newYorkDay(new Date(dataUpdatedAt)) === newYorkToday() ? data : undefined;
}

/** New York's midnight is at a full hour everywhere; the service has noticed it by then. */
export const untilNextHour = (now: number): number => HOUR - ((now - GRACE) % HOUR);

const reportsSoon = ({ earnings }: WatchedEarnings): ReportsSoon => {
  const soon = new Map<string, ReportSoon>();
  for (const report of earnings) if (report.chip !== null && !soon.has(report.symbol)) soon.set(report.symbol, report);
  return soon;
};
