import assert from 'node:assert/strict';
import { test } from 'vitest';
import { mapInSlices } from './in-slices.ts';

/** Keeps the thread busy. */
function work(milliseconds: number): void {
  const startedAt = performance.now();
  while (performance.now() - startedAt < milliseconds);
}

test('lets other work run between slices, and keeps the order of the results', async () => {
  let turns = 0;
  let isDone = false;
  const takeTurn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  const results = await mapInSlices([1, 2, 3, 4, 5], (item) => {
    work(12);
    return item * 2;
  });
  isDone = true;
  assert.deepEqual(results, [2, 4, 6, 8, 10]);
  assert.ok(turns >= 5, `${turns} turns`);
});

test('returns no results without items, and rejects with the error of an item', async () => {
  assert.deepEqual(await mapInSlices([], String), []);
  await assert.rejects(
    mapInSlices([1], () => {
      throw new Error('no result');
    }),
    /no result/,
  );
});
