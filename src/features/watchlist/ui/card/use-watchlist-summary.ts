import { type QueryClient, useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EventProperties } from '../../../../platform/analytics/contract.ts';
import { investmentsQueryKey } from '../../../../ui/shell/api/investment-query.ts';
import type { DashboardEvent } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { captureEvent } from '../../../../ui/shell/events/capture-events.ts';
import type { Watchlist } from '../../contract.ts';
import { capture } from '../list/capture.ts';
import { watchlistMutationKey, watchlistQueryKey, useWatchlist } from '../list/watchlist-query.ts';

/** What the dashboard must know of the list: whether it is still read, how many rows it has, whether prices are samples. */
export function useWatchlistSummary(isOffered: boolean): { isPending: boolean; count: number; isSample: boolean } {
  const { data: list, isPending } = useWatchlist(isOffered);
  useInvalidateOnWatchlistChange(list);
  return {
    isPending: isOffered && isPending,
    count: list?.item_count ?? 0,
    isSample: list?.items.some((item) => !item.locked && item.sample) ?? false,
  };
}

const REFRESH_DELAY_MS = 1_000;

/** Reads reports and news again when other tickers are watched, once every change of the list has been saved. */
function useInvalidateOnWatchlistChange(list: Watchlist | null | undefined): void {
  const queries = useQueryClient();
  const isSaving = useIsMutating({ mutationKey: watchlistMutationKey }) > 0;
  const lastWatched = useRef<string | null>(null);
  const watchedSymbols = list?.items
    .flatMap(({ symbol, locked }) => (locked ? [] : [symbol]))
    .sort()
    .join(' ');
  useEffect(() => {
    if (watchedSymbols === undefined || isSaving || watchedSymbols === lastWatched.current) return;
    if (lastWatched.current === null) {
      lastWatched.current = watchedSymbols;
      return;
    }
    // Once for several picks in a row.
    const timer = setTimeout(() => {
      lastWatched.current = watchedSymbols;
      for (const card of ['earnings', 'news'])
        void queries.invalidateQueries({ queryKey: [...investmentsQueryKey, card] });
    }, REFRESH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [watchedSymbols, isSaving, queries]);
}

/** Sends an event of the dashboard, with the watchlist's properties where the list is known. */
export function captureDashboardEvent(queries: QueryClient, event: DashboardEvent, properties: EventProperties): void {
  const list = queries.getQueryData<Watchlist | null>(watchlistQueryKey);
  if (list) capture(event, list, properties);
  else captureEvent(event, properties);
}
