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

test('an added security waits at the end, is added once, and is replaced by the answer', () => {
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
    'removed before the answer: it does not come back',
  );
});

test('a removed row comes back to its place', () => {
  const list = abc();
  const removed = applyRemove(list, 'B');
  assert.deepEqual(
    removed.items.map(({ position }) => position),
    [1, 2],
  );
  assert.deepEqual(symbols(restoreItem(removed, list.items[1]!)), ['A', 'B', 'C']);
  assert.deepEqual(symbols(applyOptimisticAdd(removed, { ...security, symbol: 'B' }, 2)), ['A', 'B', 'C']);
});

test('the order decides which rows are locked, and a locked row shows nothing of the market', () => {
  const four = createWatchlist([...abc().items, createActiveRow('D')], 3);
  const moved = applyMove(four, 'D', 0);
  assert.deepEqual(
    moved.items.map(({ symbol, locked }) => `${symbol}${locked ? '*' : ''}`),
    ['D', 'A', 'B', 'C*'],
  );
  assert.equal(moved.locked_count, 1);
  assert.equal('price' in moved.items[3]!, false);
  const back = applyMove(moved, 'C', 0).items[0]!;
  assert.equal(!back.locked && back.price, null, 'its price comes with the next answer');
});

test('a row that keeps its place stays the same object, so that it is not drawn anew', () => {
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

test('a moved row takes its place among rows that another tab added; one that is gone moves nothing', () => {
  const list = applyOptimisticAdd(abc(), security);
  assert.deepEqual(symbols(applyMove(list, 'A', 3)), ['B', 'C', 'D', 'A']);
  assert.deepEqual(symbols(applyMove(list, 'C', 0)), ['C', 'A', 'B', 'D']);
  assert.equal(applyMove(list, 'Z', 0), list);
});
