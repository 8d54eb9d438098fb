import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { CardId, DashboardResponse } from '../../dashboard/contract.ts';
import { useEffect } from 'react';
import { earnings, news } from '../cards/card-queries.ts';
import { netWorth, positions } from '../card-queries.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { type Reading, useDeferredReading } from '../../../../ui/kit/use-deferred-reading.ts';
import { usualCards } from './waiting-cards.tsx';

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
export function readDashboard(queries: QueryClient): void {
  void queries.prefetchQuery(read);
  for (const id of expectedCards()) if (id !== 'watchlist') firstReads[id](queries);
}

const firstReads: Readonly<Record<Exclude<CardId, 'watchlist'>, (queries: QueryClient) => unknown>> = {
  net_worth: (queries) => queries.prefetchQuery(netWorth),
  holdings: (queries) => queries.prefetchQuery(positions),
  earnings: (queries) => queries.prefetchQuery(earnings),
  news: (queries) => queries.prefetchQuery(news),
};

const SHOWN = 'tally.cards';

/** The cards that stood here when this browser last saw the dashboard: a guess that saves a round of requests. */
function expectedCards(): readonly CardId[] {
  const last = readStored(SHOWN)?.split(',');
  return last ? usualCards.filter((id) => last.includes(id)) : usualCards;
}

/** Whether a card stood here when the dashboard was last seen in this browser. */
export const expectsCard = (id: CardId): boolean => readStored(SHOWN)?.split(',').includes(id) ?? false;
