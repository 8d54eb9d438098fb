import {
  type QueryClient,
  queryOptions,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { CardId, DashboardResponse } from '../../dashboard/contract.ts';
import { useEffect } from 'react';
import { earnings, news } from '../../dashboard/web/card-queries.ts';
import { netWorth, positions } from '../../investments/web/card-queries.ts';
import { callApi } from '../lib/api.ts';
import { readStored, writeStored } from '../lib/browser-storage.ts';
import { notifyFailure } from '../lib/notices.ts';
import { type Reading, useDeferredReading } from '../lib/use-deferred-reading.ts';
import { usualCards } from './waiting-cards.tsx';

const LAYOUT = ['dashboard', 'layout'] as const;
const SAVE = ['dashboard', 'save'] as const;

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

/** The cards that stood here when the dashboard was last seen in this browser; a guess that saves a round of
 * requests. */
function expectedCards(): readonly CardId[] {
  const last = readStored(SHOWN)?.split(',');
  return last ? usualCards.filter((id) => last.includes(id)) : usualCards;
}

/** Whether a card stood here when the dashboard was last seen in this browser. */
export const expectsCard = (id: CardId): boolean => readStored(SHOWN)?.split(',').includes(id) ?? false;

/** Saves which cards are shown and in which order: at once on screen, taken back when the service refuses. Saves wait
 * for one another. */
export function useSaveLayout(): UseMutationResult<
  DashboardResponse,
  Error,
  readonly CardId[],
  { before: DashboardResponse | undefined }
> {
  const queries = useQueryClient();
  const saving: UseMutationResult<
    DashboardResponse,
    Error,
    readonly CardId[],
    { before: DashboardResponse | undefined }
  > = useMutation({
    mutationKey: SAVE,
    scope: { id: 'dashboard' },
    mutationFn: (ids: readonly CardId[]) =>
      callApi('PUT /api/dashboard', { body: { cards: ids.map((id) => ({ id })) } }),
    onMutate: async (ids) => {
      const before = queries.getQueryData<DashboardResponse>(LAYOUT);
      if (before) queries.setQueryData<DashboardResponse>(LAYOUT, arrange(before, ids));
      await queries.cancelQueries({ queryKey: LAYOUT });
      return { before };
    },
    onError: (error, ids, context) => {
      // A later arrangement that waits to be sent contains this change too. Otherwise the stored one is read again.
      if (queries.isMutating({ mutationKey: SAVE }) > 1) return;
      queries.setQueryData(LAYOUT, context?.before);
      void queries.invalidateQueries({ queryKey: LAYOUT });
      notifyFailure('Your dashboard was not changed.', error, () => saving.mutate(ids));
    },
    onSuccess: (saved) => {
      // An earlier answer must not undo what was changed after it.
      if (queries.isMutating({ mutationKey: SAVE }) <= 1) queries.setQueryData(LAYOUT, saved);
    },
  });
  return saving;
}

/** The layout with exactly these cards shown, in this order. */
function arrange(layout: DashboardResponse, ids: readonly CardId[]): DashboardResponse {
  const offered = [...layout.cards, ...layout.removed].map(({ id }) => id);
  return { cards: ids.map((id) => ({ id })), removed: offered.filter((id) => !ids.includes(id)).map((id) => ({ id })) };
}
