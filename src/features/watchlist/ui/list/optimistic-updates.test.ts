import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  applyOptimisticAdd,
  replaceOptimisticItem,
  applyMove,
  applyRemove,
  restoreItem,
} from './optimistic-updates.ts';
import { isPending } from './item-labels.ts';
import { createActiveRow, createWatchlist } from '../../../../../test/support/watchlist-rows.ts';

const symbols = (list: ReturnType<typeof createWatchlist>) => list.items.map(({ symbol }) => symbol);
const security = { symbol: 'D', name: 'D', asset_type: 'stock', currency: 'USD', logo: null } as const;
const abc = () => createWatchlist([createActiveRow('A'), createActiveRow('B'), createActiveRow('C')], 3);

test('adds a pending security once at the end and replaces it by the response', () => {
  const added = applyOptimisticAdd(createWatchlist([createActiveRow('A')]), security);
  assert.deepEqual(symbols(added), ['A', 'D']);
  assert.equal(added.item_count, 2);
  assert.ok(isPending(added.items[1]!));
  assert.equal(applyOptimisticAdd(added, security), added);
  const confirmed = replaceOptimisticItem(added, createActiveRow('D', { price: 7 }));
  assert.equal(isPending(confirmed.items[1]!), false);
  assert.deepEqual(
    symbols(replaceOptimisticItem(applyRemove(added, 'D'), createActiveRow('D'))),
    ['A'],
    'a row removed before the response stays removed',
  );
});

test('restores a removed row to its position', () => {
  const list = abc();
  const removed = applyRemove(list, 'B');
  assert.deepEqual(
    removed.items.map(({ position }) => position),
    [1, 2],
  );
  assert.deepEqual(symbols(restoreItem(removed, list.items[1]!)), ['A', 'B', 'C']);
  assert.deepEqual(symbols(applyOptimisticAdd(removed, { ...security, symbol: 'B' }, 2)), ['A', 'B', 'C']);
});

test('locks rows by their order and hides market data of locked rows', () => {
  const four = createWatchlist([...abc().items, createActiveRow('D')], 3);
  const moved = applyMove(four, 'D', 0);
  assert.deepEqual(
    moved.items.map(({ symbol, locked }) => `${symbol}${locked ? '*' : ''}`),
    ['D', 'A', 'B', 'C*'],
  );
  assert.equal(moved.locked_count, 1);
  assert.equal('price' in moved.items[3]!, false);
  const back = applyMove(moved, 'C', 0).items[0]!;
  assert.equal(!back.locked && back.price, null, 'the next response contains the price');
});

test('keeps the object of a row whose position does not change', () => {
  const list = createWatchlist(
    ['A', 'B', 'C', 'D'].map((symbol, index) => createActiveRow(symbol, { position: index + 1 })),
    4,
  );
  const moved = applyMove(list, 'C', 1);
  assert.deepEqual(
    moved.items.map((item) => list.items.includes(item)),
    [true, false, false, true],
  );
});

test('moves a row among rows of another tab and ignores a missing row', () => {
  const list = applyOptimisticAdd(abc(), security);
  assert.deepEqual(symbols(applyMove(list, 'A', 3)), ['B', 'C', 'D', 'A']);
  assert.deepEqual(symbols(applyMove(list, 'C', 0)), ['C', 'A', 'B', 'D']);
  assert.equal(applyMove(list, 'Z', 0), list);
});
