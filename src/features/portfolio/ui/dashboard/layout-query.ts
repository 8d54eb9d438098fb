import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { CardId, DashboardResponse } from '../../dashboard/contract.ts';
import { useEffect } from 'react';
import type { DashboardCard } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { type Reading, useDeferredReading } from '../../../../ui/kit/use-deferred-reading.ts';

export const LAYOUT = ['dashboard', 'layout'] as const;

const read = queryOptions<DashboardResponse>({
  queryKey: LAYOUT,
  queryFn: ({ signal }) => callApi('GET /api/dashboard', { signal }),
});

/** The member's cards in their order, and those that were removed. */
export function useLayout(): Reading<DashboardResponse> {
  const layout = useDeferredReading(useQuery(read));
  const shown = layout.data?.cards.map(({ id }) => id).join();
  useEffect(() => {
    if (shown !== undefined) writeStored(SHOWN, shown);
  }, [shown]);
  return layout;
}

/** Reads the order of the cards and, by a guess, what they will show: all of it in one round of requests. */
export function readDashboard(queries: QueryClient, cards: readonly DashboardCard[]): void {
  void queries.prefetchQuery(read);
  const last = lastShown();
  for (const { id, prefetch } of cards) if (!last || last.includes(id)) prefetch?.(queries);
}

const SHOWN = 'tally.cards';

/** The cards that this browser showed last: a guess that saves a round of requests. */
const lastShown = (): readonly string[] | undefined => readStored(SHOWN)?.split(',');

/** Whether the member may have the card: by the layout, until it is known by what this browser showed last. */
export function isOffered(id: CardId, layout: DashboardResponse | undefined): boolean {
  if (!layout) return lastShown()?.includes(id) ?? false;
  return [...layout.cards, ...layout.removed].some((card) => card.id === id);
}
