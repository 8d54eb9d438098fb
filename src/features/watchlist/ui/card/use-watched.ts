import { type QueryClient, useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EventProperties } from '../../../../platform/analytics/contract.ts';
import { INVESTMENTS } from '../../../../ui/shell/api/investment-query.ts';
import type { DashboardEvent } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { captureEvent } from '../../../../ui/shell/events/capture-events.ts';
import type { Watchlist } from '../../contract.ts';
import { capture } from '../list/capture.ts';
import { CHANGE, LIST, useWatchlist } from '../list/watchlist-query.ts';

/** What the dashboard must know of the list: whether it is still read, how many rows it has, whether prices are samples. */
export function useWatched(isOffered: boolean): { isPending: boolean; count: number; isSample: boolean } {
  const { data: list, isPending } = useWatchlist(isOffered);
  useRefreshFollowers(list);
  return {
    isPending: isOffered && isPending,
    count: list?.item_count ?? 0,
    isSample: list?.items.some((item) => !item.locked && item.sample) ?? false,
  };
}

const REFRESH_AFTER_MS = 1_000;

/** Reads reports and news again when other tickers are watched, once every change of the list has been saved. */
function useRefreshFollowers(list: Watchlist | null | undefined): void {
  const queries = useQueryClient();
  const saving = useIsMutating({ mutationKey: CHANGE }) > 0;
  const followed = useRef<string | null>(null);
  const watched = list?.items
    .flatMap(({ symbol, locked }) => (locked ? [] : [symbol]))
    .sort()
    .join(' ');
  useEffect(() => {
    if (watched === undefined || saving || watched === followed.current) return;
    if (followed.current === null) {
      followed.current = watched;
      return;
    }
    // Once for several picks in a row.
    const timer = setTimeout(() => {
      followed.current = watched;
      for (const card of ['earnings', 'news']) void queries.invalidateQueries({ queryKey: [...INVESTMENTS, card] });
    }, REFRESH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [watched, saving, queries]);
}

/** Sends an event of the dashboard, with the watchlist's properties where the list is known. */
export function captureDashboardEvent(queries: QueryClient, event: DashboardEvent, properties: EventProperties): void {
  const list = queries.getQueryData<Watchlist | null>(LIST);
  if (list) capture(event, list, properties);
  else captureEvent(event, properties);
}
