import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { showErrorToast } from '../../../../ui/shell/session/show-error-toast.ts';
import type { WatchlistItem } from '../../contract.ts';
import { applyRemove, restoreItem } from './optimistic-updates.ts';
import { formatShortName } from '../../../securities/ui/shared/security-labels.ts';
import { findItemId, scheduleRefetch, serialMutation } from './list-mutations.ts';
import { offlineAdds } from './offline-add-queue.ts';
import { updateCachedWatchlist, watchlistQueryKey } from './watchlist-query.ts';

/**
 * Removes a row with an optimistic update. A missing row counts as removed. A failure restores the row at its position.
 */
export function useRemoveItem(): UseMutationResult<void, Error, WatchlistItem> {
  const queries = useQueryClient();
  const removeMutation: UseMutationResult<void, Error, WatchlistItem> = useMutation({
    ...serialMutation,
    mutationFn: async (item) => {
      const id = await findItemId(item);
      if (id === undefined) return;
      await callApi('DELETE /api/watchlist/{id}', { params: { id } }).catch(ignoreNotFound);
    },
    onMutate: async (item) => {
      offlineAdds.discard(item.symbol);
      updateCachedWatchlist(queries, (list) => applyRemove(list, item.symbol));
      await queries.cancelQueries({ queryKey: watchlistQueryKey, exact: true });
    },
    onError: (error, item) => {
      updateCachedWatchlist(queries, (list) => restoreItem(list, item));
      showErrorToast(`Could not remove ${formatShortName(item)} from your watchlist.`, error, () =>
        removeMutation.mutate(item),
      );
    },
    onSettled: () => scheduleRefetch(queries),
  });
  return removeMutation;
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
