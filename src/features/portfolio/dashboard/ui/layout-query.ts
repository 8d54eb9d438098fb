import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { CardId, DashboardResponse } from '../contract.ts';
import { useEffect } from 'react';
import { connectionsQuery } from '../../../connections/ui/shared/connections-query.ts';
import { type PrefetchFromHome, requestHome } from './home-read.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { setWatchlistOffered, setWatchlistUnknown } from '../../../../ui/shell/navigation/watchlist-offer.ts';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { type DeferredQueryResult, useDeferredQuery } from '../../../../ui/kit/use-deferred-query.ts';

export const layoutQueryKey = ['dashboard', 'layout'] as const;

const layoutQuery = queryOptions<DashboardResponse>({
  queryKey: layoutQueryKey,
  queryFn: ({ signal }) => callApi('GET /api/dashboard', { signal }),
});

/** Returns the member's cards in order, and the removed ones. */
export function useLayout(): DeferredQueryResult<DashboardResponse> {
  const query = useQuery(layoutQuery);
  const layout = useDeferredQuery(query);
  const hasFailed = query.failureCount > 0;
  const shownIds = layout.data?.cards.map(({ id }) => id).join();
  const isOffered = layout.data && isCardOffered('watchlist', layout.data);
  useEffect(() => {
    if (shownIds !== undefined) writeStored(SHOWN_CARDS_KEY, shownIds);
    if (isOffered !== undefined) setWatchlistOffered(isOffered);
    else if (hasFailed) setWatchlistUnknown();
  }, [shownIds, isOffered, hasFailed]);
  return layout;
}

/** Prefetches the layout, the connections and the most likely cards in one request. */
export function prefetchDashboard(
  queries: QueryClient,
  readByCard: Readonly<Partial<Record<CardId, (prefetchFromHome: PrefetchFromHome) => void>>>,
): void {
  const prefetchFromHome = requestHome(queries);
  prefetchFromHome('layout', layoutQuery);
  prefetchFromHome('connections', connectionsQuery);
  const lastShownCards = readLastShownCards();
  for (const [id, read] of Object.entries(readByCard))
    if (!lastShownCards || lastShownCards.includes(id)) read(prefetchFromHome);
}

const SHOWN_CARDS_KEY = 'tally.cards';

/** Returns the cards that this browser showed last. The guess saves a round of requests. */
const readLastShownCards = (): readonly string[] | undefined => readStored(SHOWN_CARDS_KEY)?.split(',');

/**
 * Returns whether the member may have the card: by the layout, or before it is known by the cards that this browser
 * showed last.
 */
export function isCardOffered(id: CardId, layout: DashboardResponse | undefined): boolean {
  if (!layout) return readLastShownCards()?.includes(id) ?? false;
  return [...layout.cards, ...layout.removed].some((card) => card.id === id);
}
