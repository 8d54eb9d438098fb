import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { showErrorToast } from '../../../../ui/shell/session/show-error-toast.ts';
import type { Watchlist } from '../../contract.ts';
import { withMoved } from './changed-list.ts';
import { findItemId, scheduleRefetch, serialMutation } from './list-mutations.ts';
import { getPendingMoves, isSuperseded, MOVE, type Move } from './pending-moves.ts';
import { changeList, LIST } from './watchlist-query.ts';

/**
 * Moves one row, at once on screen: what changed elsewhere meanwhile does not matter to it. Of moves of one row in
 * quick succession only the last is sent; a failure goes back to the place that was last saved.
 */
export function useMoveItem(): UseMutationResult<void, Error, Move, { from: number }> {
  const queries = useQueryClient();
  const pendingMoves = () => getPendingMoves(queries.getMutationCache());
  const itemsNow = () => queries.getQueryData<Watchlist>(LIST)?.items ?? [];
  const moving: UseMutationResult<void, Error, Move, { from: number }> = useMutation({
    ...serialMutation,
    mutationKey: MOVE,
    mutationFn: async (move: Move) => {
      if (isSuperseded(move, pendingMoves())) return;
      const { symbol, to } = move;
      const id = await findItemId(itemsNow().find((item) => item.symbol === symbol) ?? { symbol });
      if (id === undefined) return;
      await callApi('PATCH /api/watchlist/{id}', { params: { id }, body: { position: to + 1 } });
    },
    onMutate: async ({ symbol, to }) => {
      const earlier = pendingMoves().find(({ move, from }) => from !== undefined && move.symbol === symbol);
      const from = earlier?.from ?? itemsNow().findIndex((item) => item.symbol === symbol);
      changeList(queries, (list) => withMoved(list, symbol, to));
      await queries.cancelQueries({ queryKey: LIST, exact: true });
      return { from };
    },
    onError: (error, move, context) => {
      const hasLaterMove = pendingMoves().some((other) => other.move !== move && other.move.symbol === move.symbol);
      if (hasLaterMove) return;
      if (context) changeList(queries, (list) => withMoved(list, move.symbol, context.from));
      showErrorToast('The order was not saved.', error, () => moving.mutate(move));
    },
    onSettled: () => scheduleRefetch(queries),
  });
  return moving;
}
