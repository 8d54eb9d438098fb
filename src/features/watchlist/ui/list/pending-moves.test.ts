import assert from 'node:assert/strict';
import { QueryClient } from '@tanstack/react-query';
import { test } from 'vitest';
import { getPendingMoves, isSuperseded, moveMutationKey, type Move } from './pending-moves.ts';

/** Creates a client with pending moves. The first move is being sent and the others wait. */
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

test('lists unfinished moves in the order of their creation', () => {
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

test('marks a move as superseded only when the next move is of its row', () => {
  const first = { symbol: 'A', to: 1 };
  const second = { symbol: 'A', to: 2 };
  const third = { symbol: 'B', to: 0 };
  const pending = [first, second, third].map((move) => ({ move, from: 0 }));
  assert.equal(isSuperseded(first, pending), true);
  assert.equal(isSuperseded(second, pending), false);
  assert.equal(isSuperseded(third, pending), false);
  assert.equal(isSuperseded({ ...first }, pending), false, 'a move that is not pending');
});
