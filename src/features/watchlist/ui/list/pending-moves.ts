import type { MutationCache, MutationState } from '@tanstack/react-query';
import { watchlistMutationKey } from './watchlist-query.ts';

export interface Move {
  symbol: string;
  /** Target index of the row, from 0. */
  to: number;
}

export const moveMutationKey = [...watchlistMutationKey, 'move'] as const;

/** A move that has not finished. */
interface PendingMove {
  move: Move;
  /** Last saved index, from 0. undefined until the move is shown. */
  from: number | undefined;
}

/** Returns the unfinished moves in the order of their creation. */
export function getPendingMoves(cache: MutationCache): PendingMove[] {
  return cache.findAll({ mutationKey: moveMutationKey, status: 'pending' }).flatMap(({ state }) => {
    const { variables, context } = state as MutationState<void, Error, Move, { from: number }>;
    return variables ? [{ move: variables, from: context?.from }] : [];
  });
}

/** Returns whether the next pending move is of this row and makes this move obsolete. */
export function isSuperseded(move: Move, pending: readonly PendingMove[]): boolean {
  const index = pending.findIndex((pendingMove) => pendingMove.move === move);
  return index !== -1 && pending[index + 1]?.move.symbol === move.symbol;
}
