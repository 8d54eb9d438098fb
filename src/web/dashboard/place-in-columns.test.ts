import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved, placeInColumns } from './place-in-columns.ts';

test('the wide card takes two columns where two are free, and a last card of two fills its row', () => {
  assert.deepEqual(placeInColumns(['net_worth', 'holdings', 'earnings', 'news', 'watchlist']), [2, 1, 1, 1, 1]);
  assert.deepEqual(placeInColumns(['earnings', 'news', 'net_worth', 'holdings', 'watchlist']), [1, 1, 1, 1, 2]);
  assert.deepEqual(placeInColumns(['holdings', 'net_worth', 'earnings']), [1, 2, 1]);
  assert.deepEqual(placeInColumns([]), []);
});

test('a row of three columns is never overrun, whatever the order', () => {
  const ids = ['net_worth', 'holdings', 'earnings', 'news', 'watchlist'] as const;
  for (let at = 0; at < ids.length; at += 1) {
    let column = 0;
    for (const span of placeInColumns(moved(ids, 'net_worth', at))) {
      assert.ok(column + span <= 3, `net worth at ${at} leaves a hole`);
      column = (column + span) % 3;
    }
  }
});

test('a card moves by one and stops at the ends', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 'b', 1), ['a', 'c', 'b']);
  assert.deepEqual(moved(['a', 'b', 'c'], 'a', -1), ['a', 'b', 'c']);
  assert.deepEqual(moved(['a', 'b', 'c'], 'c', 9), ['a', 'b', 'c']);
  assert.deepEqual(moved(['a', 'b'], 'x', 1), ['a', 'b']);
});
