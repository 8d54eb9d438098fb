import { type QueryClient, useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EventProperties } from '../../../../platform/analytics/contract.ts';
import { investmentsQueryKey } from '../../../../ui/shell/api/investment-query.ts';
import type { DashboardEvent } from '../../../portfolio/dashboard/ui/shared/dashboard-card.ts';
import { captureEvent } from '../../../../ui/shell/events/capture-events.ts';
import type { Watchlist } from '../../contract.ts';
import { capture } from '../list/capture.ts';
import { watchlistMutationKey, watchlistQueryKey, useWatchlist } from '../list/watchlist-query.ts';

/**
 * Returns the list state that the dashboard needs: whether the list is loading, its row count, and whether prices are
 * samples.
 */
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

/** Refetches reports and news when the watched tickers change and all changes are saved. */
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
    // The delay combines several picks into one refetch.
    const timer = setTimeout(() => {
      lastWatched.current = watchedSymbols;
      for (const card of ['earnings', 'dividends', 'news'])
        void queries.invalidateQueries({ queryKey: [...investmentsQueryKey, card] });
    }, REFRESH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [watchedSymbols, isSaving, queries]);
}

/** Sends an event of the dashboard. Adds the watchlist's properties if the list is loaded. */
export function captureDashboardEvent(queries: QueryClient, event: DashboardEvent, properties: EventProperties): void {
  const list = queries.getQueryData<Watchlist | null>(watchlistQueryKey);
  if (list) capture(event, list, properties);
  else captureEvent(event, properties);
}
