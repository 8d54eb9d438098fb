import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getCardIndexAt } from './card-index-at.ts';

const boxes = [
  { left: 0, top: 0, right: 200, bottom: 100 },
  { left: 220, top: 0, right: 300, bottom: 100 },
  { left: 0, top: 120, right: 80, bottom: 400 },
];

test('a card is let go where the pointer is, between two at the nearer one', () => {
  assert.deepEqual(
    [getCardIndexAt(boxes, 10, 10), getCardIndexAt(boxes, 250, 99), getCardIndexAt(boxes, 40, 300)],
    [0, 1, 2],
  );
  assert.deepEqual([getCardIndexAt(boxes, 208, 50), getCardIndexAt(boxes, 212, 50)], [0, 1]);
});

test('beside the grid the nearest counts, and without cards there is none', () => {
  assert.deepEqual([getCardIndexAt(boxes, 40, 9_000), getCardIndexAt(boxes, 9_000, -50)], [2, 1]);
  assert.equal(getCardIndexAt([], 1, 1), -1);
});
