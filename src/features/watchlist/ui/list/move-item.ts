import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { showErrorToast } from '../../../../ui/shell/session/show-error-toast.ts';
import type { Watchlist } from '../../contract.ts';
import { applyMove } from './optimistic-updates.ts';
import { findItemId, scheduleRefetch, serialMutation } from './list-mutations.ts';
import { getPendingMoves, isSuperseded, moveMutationKey, type Move } from './pending-moves.ts';
import { updateCachedWatchlist, watchlistQueryKey } from './watchlist-query.ts';

/**
 * Moves one row with an optimistic update. Other changes of the list do not affect the move. Of quick moves of one row
 * only the last is sent. A failure restores the last saved position.
 */
export function useMoveItem(): UseMutationResult<void, Error, Move, { from: number }> {
  const queries = useQueryClient();
  const listPendingMoves = () => getPendingMoves(queries.getMutationCache());
  const getCurrentItems = () => queries.getQueryData<Watchlist>(watchlistQueryKey)?.items ?? [];
  const moveMutation: UseMutationResult<void, Error, Move, { from: number }> = useMutation({
    ...serialMutation,
    mutationKey: moveMutationKey,
    mutationFn: async (move: Move) => {
      if (isSuperseded(move, listPendingMoves())) return;
      const { symbol, to } = move;
      const id = await findItemId(getCurrentItems().find((item) => item.symbol === symbol) ?? { symbol });
      if (id === undefined) return;
      await callApi('PATCH /api/watchlist/{id}', { params: { id }, body: { position: to + 1 } });
    },
    onMutate: async ({ symbol, to }) => {
      const earlierMove = listPendingMoves().find(({ move, from }) => from !== undefined && move.symbol === symbol);
      const from = earlierMove?.from ?? getCurrentItems().findIndex((item) => item.symbol === symbol);
      updateCachedWatchlist(queries, (list) => applyMove(list, symbol, to));
      await queries.cancelQueries({ queryKey: watchlistQueryKey, exact: true });
      return { from };
    },
    onError: (error, move, context) => {
      const hasLaterMove = listPendingMoves().some((other) => other.move !== move && other.move.symbol === move.symbol);
      if (hasLaterMove) return;
      if (context) updateCachedWatchlist(queries, (list) => applyMove(list, move.symbol, context.from));
      showErrorToast('Could not save the order.', error, () => moveMutation.mutate(move));
    },
    onSettled: () => scheduleRefetch(queries),
  });
  return moveMutation;
}
