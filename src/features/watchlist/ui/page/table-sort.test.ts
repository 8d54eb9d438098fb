import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createActiveRow } from '../../../../../test/support/watchlist-rows.ts';
import { getDirection, getNextSort, getSortOptions, sortTableItems, type TableSort } from './table-sort.ts';

const SINCE = '2026-10-26';
const rows = [
  createActiveRow('FUND', { price: 50, volume: null, market_cap: null, change_1d: null, closes: null }),
  createActiveRow('UP', {
    price: 10,
    volume: 300,
    market_cap: 2e9,
    change_1d: 1,
    closes: [
      // A close before the month does not count.
      ['2026-10-01', 1],
      ['2026-10-26', 8],
      ['2026-11-25', 10],
    ],
  }),
  createActiveRow('DOWN', {
    price: 20,
    volume: 900,
    market_cap: 1e9,
    change_1d: -1,
    closes: [
      ['2026-10-26', 25],
      ['2026-11-25', 20],
    ],
  }),
];

test.for([
  ['mine', ['FUND', 'UP', 'DOWN']],
  ['gainers', ['UP', 'DOWN', 'FUND']],
  ['price-high', ['FUND', 'DOWN', 'UP']],
  ['volume-high', ['DOWN', 'UP', 'FUND']],
  ['volume-low', ['UP', 'DOWN', 'FUND']],
  ['cap-high', ['UP', 'DOWN', 'FUND']],
  ['month-high', ['UP', 'DOWN', 'FUND']],
  ['month-low', ['DOWN', 'UP', 'FUND']],
] as const)('sorts by %s with missing figures last', ([sort, expected]) => {
  assert.deepEqual(
    sortTableItems(rows, sort, SINCE).map(({ symbol }) => symbol),
    expected,
  );
});

test('uses the values of the sort menu when the day or the ticker heading is pressed', () => {
  assert.deepEqual(
    [getNextSort('day', 'mine'), getNextSort('day', 'gainers'), getNextSort('day', 'losers')],
    ['gainers', 'losers', 'gainers'],
  );
  assert.deepEqual([getNextSort('name', 'losers'), getNextSort('name', 'name')], ['name', 'mine']);
});

test('reports the direction of the sorted column only', () => {
  const directions = (sort: TableSort) => [
    getDirection('name', sort),
    getDirection('day', sort),
    getDirection('cap', sort),
  ];
  assert.deepEqual(directions('mine'), [null, null, null]);
  assert.deepEqual(directions('name'), ['ascending', null, null]);
  assert.deepEqual(directions('losers'), [null, 'ascending', null]);
  assert.deepEqual(directions('cap-high'), [null, null, 'descending']);
});

test('adds the order of a heading to the sort menu while it is chosen', () => {
  assert.deepEqual(Object.keys(getSortOptions('gainers')), ['mine', 'gainers', 'losers', 'name']);
  assert.deepEqual(Object.keys(getSortOptions('cap-low')), ['mine', 'gainers', 'losers', 'name', 'cap-low']);
});
