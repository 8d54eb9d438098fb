import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createActiveRow } from '../../../../../test/support/watchlist-rows.ts';
import { type KeyedRows, assignRowKeys } from './use-row-rendering.ts';
import type { SortChoice } from '../list/sort-items.ts';

const keyed = (previous: KeyedRows | undefined, sort: SortChoice, symbols: readonly string[]): KeyedRows =>
  assignRowKeys(
    previous,
    sort,
    symbols.map((symbol) => createActiveRow(symbol)),
  );

test("keeps a row's key when other rows are added, removed or moved", () => {
  const first = keyed(undefined, 'mine', ['A', 'B', 'C']);
  const moved = keyed(first, 'mine', ['C', 'A', 'B']);
  assert.deepEqual(moved.keys, [first.keys[2], first.keys[0], first.keys[1]]);
  const removed = keyed(moved, 'mine', ['C', 'B']);
  assert.deepEqual(removed.keys, [moved.keys[0], moved.keys[2]]);
  const added = keyed(removed, 'mine', ['C', 'A', 'B', 'D']);
  assert.deepEqual([added.keys[0], added.keys[2]], removed.keys);
});

test('keeps keys in place when the sort changes', () => {
  const first = keyed(undefined, 'mine', ['A', 'B', 'C']);
  const sorted = keyed(first, 'gainers', ['C', 'B', 'A']);
  assert.deepEqual(sorted.keys, first.keys);
  assert.deepEqual(keyed(sorted, 'gainers', ['B', 'C', 'A']).keys, [sorted.keys[1], sorted.keys[0], sorted.keys[2]]);
});

test('never repeats a key when the sort changes and a ticker is added', () => {
  let rows = keyed(undefined, 'mine', []);
  const symbols = ['A', 'B', 'C', 'D', 'E'];
  const sorts = ['mine', 'gainers', 'losers', 'name'] as const;
  for (let round = 0, state = 7; round < 500; round += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1;
    const selectedSymbols = symbols.filter((_, index) => (state >> index) & 1).sort(() => ((state >> 9) & 1) - 0.5);
    rows = keyed(rows, sorts[(state >> 12) % 4]!, selectedSymbols);
    assert.equal(new Set(rows.keys).size, selectedSymbols.length);
  }
});
