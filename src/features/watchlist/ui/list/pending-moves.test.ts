import assert from 'node:assert/strict';
import { QueryClient } from '@tanstack/react-query';
import { test } from 'vitest';
import { getPendingMoves, isSuperseded, moveMutationKey, type Move } from './pending-moves.ts';

/** A client with these moves under way, the first of which is being sent and the others wait for it. */
function clientWith(moves: readonly Move[]): QueryClient {
  const client = new QueryClient();
  for (const move of moves)
    void client
      .getMutationCache()
      .build(client, {
        mutationKey: moveMutationKey,
        scope: { id: 'watchlist' },
        mutationFn: () => new Promise<void>(() => {}),
      })
      .execute(move);
  return client;
}

test('lists the moves that are not done in the order in which they were made', () => {
  const moves = [
    { symbol: 'A', to: 2 },
    { symbol: 'B', to: 0 },
  ];
  const pending = getPendingMoves(clientWith(moves).getMutationCache());
  assert.deepEqual(
    pending.map(({ move }) => move),
    moves,
  );
});

test('supersedes a move only when the next move is of the same row', () => {
  const [first, second, third] = [
    { symbol: 'A', to: 1 },
    { symbol: 'A', to: 2 },
    { symbol: 'B', to: 0 },
  ] as const;
  const pending = [first, second, third].map((move) => ({ move, from: 0 }));
  assert.equal(isSuperseded(first, pending), true);
  assert.equal(isSuperseded(second, pending), false);
  assert.equal(isSuperseded(third, pending), false);
  assert.equal(isSuperseded({ ...first }, pending), false, 'a move that is not pending');
});
