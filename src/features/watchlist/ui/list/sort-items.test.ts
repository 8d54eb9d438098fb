import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createActiveRow, createWatchlist } from '../../../../../test/support/watchlist-rows.ts';
import { applyMove } from './optimistic-updates.ts';
import { type SortChoice, sortItems } from './sort-items.ts';

const rows = [
  createActiveRow('FUND', { change_1d: null, name: null }),
  createActiveRow('DOWN', { change_1d: -2, name: 'élan' }),
  createActiveRow('UP', { change_1d: 3, name: 'Zebra' }),
  createActiveRow('FLAT', { change_1d: 0, name: 'Apple' }),
  createActiveRow('BOND', { change_1d: null, name: 'Bond' }),
];
const order = (choice: SortChoice) => sortItems(rows, choice).map(({ symbol }) => symbol);

test('sorts rows without a day change last, in the member’s order', () => {
  assert.deepEqual(order('gainers'), ['UP', 'FLAT', 'DOWN', 'FUND', 'BOND']);
  assert.deepEqual(order('losers'), ['DOWN', 'FLAT', 'UP', 'FUND', 'BOND']);
});

test('sorts names without case and accents, and by symbol when a name is missing', () => {
  assert.deepEqual(order('name'), ['FLAT', 'BOND', 'DOWN', 'FUND', 'UP']);
});

test('keeps the saved order for My order and does not mutate the list', () => {
  assert.deepEqual(order('mine'), ['FUND', 'DOWN', 'UP', 'FLAT', 'BOND']);
  assert.deepEqual(
    rows.map(({ symbol }) => symbol),
    ['FUND', 'DOWN', 'UP', 'FLAT', 'BOND'],
  );
});

test('sorts locked rows after active rows in every order', () => {
  const [, locked] = applyMove(
    createWatchlist([createActiveRow('ZZZ'), createActiveRow('AAA', { name: 'AAA' })], 1),
    'ZZZ',
    0,
  ).items;
  assert.ok(locked?.locked);
  for (const choice of ['gainers', 'losers', 'name'] as const)
    assert.equal(sortItems([locked, ...rows], choice).at(-1)?.symbol, 'AAA');
});
