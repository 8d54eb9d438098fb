import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getCardIndexAt } from './card-index-at.ts';

const boxes = [
  { left: 0, top: 0, right: 200, bottom: 100 },
  { left: 220, top: 0, right: 300, bottom: 100 },
  { left: 0, top: 120, right: 80, bottom: 400 },
];

test('returns the card under the pointer, or the nearer of two', () => {
  assert.deepEqual(
    [getCardIndexAt(boxes, 10, 10), getCardIndexAt(boxes, 250, 99), getCardIndexAt(boxes, 40, 300)],
    [0, 1, 2],
  );
  assert.deepEqual([getCardIndexAt(boxes, 208, 50), getCardIndexAt(boxes, 212, 50)], [0, 1]);
});

test('returns the nearest card outside the grid, and none without cards', () => {
  assert.deepEqual([getCardIndexAt(boxes, 40, 9_000), getCardIndexAt(boxes, 9_000, -50)], [2, 1]);
  assert.equal(getCardIndexAt([], 1, 1), -1);
});
