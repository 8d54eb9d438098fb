import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CardId, DashboardResponse } from '../../dashboard/contract.ts';
import { callApi } from '../lib/api.ts';
import { notifyFailure } from '../lib/notices.ts';
import { LAYOUT } from './layout-query.ts';

const SAVE = ['dashboard', 'save'] as const;

/** Saves which cards are shown and in which order: at once on screen, taken back when the service refuses. Saves wait
 * for one another. */
export function useSaveLayout(): (ids: readonly CardId[]) => void {
  const queries = useQueryClient();
  const save = (ids: readonly CardId[]): void => saving.mutate(ids);
  const saving = useMutation({
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
      notifyFailure('Your dashboard was not changed.', error, () => save(ids));
    },
    onSuccess: (saved) => {
      // An earlier answer must not undo what was changed after it.
      if (queries.isMutating({ mutationKey: SAVE }) <= 1) queries.setQueryData(LAYOUT, saved);
    },
  });
  return save;
}

/** The layout with exactly these cards shown, in this order. */
function arrange(layout: DashboardResponse, ids: readonly CardId[]): DashboardResponse {
  const offered = [...layout.cards, ...layout.removed].map(({ id }) => id);
  return { cards: ids.map((id) => ({ id })), removed: offered.filter((id) => !ids.includes(id)).map((id) => ({ id })) };
}
