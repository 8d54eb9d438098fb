import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CardId, DashboardResponse } from '../../investments/contract.ts';
import { callApi } from '../lib/api.ts';
import { notify } from '../lib/notices.ts';

const LAYOUT = ['dashboard', 'layout'] as const;
const SAVE = ['dashboard', 'save'] as const;

/** The member's cards in their order, and those that were removed. */
export function useLayout(): UseQueryResult<DashboardResponse> {
  return useQuery({ queryKey: LAYOUT, queryFn: ({ signal }) => callApi<DashboardResponse>({ path: '/api/dashboard', signal }) });
}

/** Saves which cards are shown and in which order: at once on screen, taken back when the service refuses. Saves wait for one another. */
export function useSaveLayout(): UseMutationResult<DashboardResponse, Error, readonly CardId[], { before: DashboardResponse | undefined }> {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: SAVE,
    scope: { id: 'dashboard' },
    mutationFn: (ids: readonly CardId[]) => callApi<DashboardResponse>({ method: 'PUT', path: '/api/dashboard', body: { cards: ids.map((id) => ({ id })) } }),
    onMutate: async (ids) => {
      const before = queries.getQueryData<DashboardResponse>(LAYOUT);
      if (before) queries.setQueryData<DashboardResponse>(LAYOUT, arrange(before, ids));
      await queries.cancelQueries({ queryKey: LAYOUT });
      return { before };
    },
    onError: (error, _ids, context) => {
      queries.setQueryData(LAYOUT, context?.before);
      notify(`Your dashboard was not changed. ${error.message}`, 'bad');
    },
    onSuccess: (saved) => {
      // An earlier answer must not undo what was changed after it.
      if (queries.isMutating({ mutationKey: SAVE }) <= 1) queries.setQueryData(LAYOUT, saved);
    },
  });
}

/** The layout with exactly these cards shown, in this order. */
export function arrange(layout: DashboardResponse, ids: readonly CardId[]): DashboardResponse {
  const offered = [...layout.cards, ...layout.removed].map(({ id }) => id);
  return { cards: ids.map((id) => ({ id })), removed: offered.filter((id) => !ids.includes(id)).map((id) => ({ id })) };
}
