import type { MutationCache, MutationState } from '@tanstack/react-query';
import { watchlistMutationKey } from './watchlist-query.ts';

export interface Move {
  symbol: string;
  /** The place that the row gets, from 0. */
  to: number;
}

export const moveMutationKey = [...watchlistMutationKey, 'move'] as const;

/** A move that is not done yet. */
interface PendingMove {
  move: Move;
  /** The place that was saved last, from 0; undefined until the move is shown. */
  from: number | undefined;
}

/** The moves that are not done yet, in the order in which they were made. */
export function getPendingMoves(cache: MutationCache): PendingMove[] {
  return cache.findAll({ mutationKey: moveMutationKey, status: 'pending' }).flatMap(({ state }) => {
    const { variables, context } = state as MutationState<void, Error, Move, { from: number }>;
    return variables ? [{ move: variables, from: context?.from }] : [];
  });
}

/** Whether the next move is of the same row: it alone decides where the row stands. */
export function isSuperseded(move: Move, pending: readonly PendingMove[]): boolean {
  const index = pending.findIndex((pendingMove) => pendingMove.move === move);
  return index !== -1 && pending[index + 1]?.move.symbol === move.symbol;
}
