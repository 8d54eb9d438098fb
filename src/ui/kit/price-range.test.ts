import assert from 'node:assert/strict';
import { test } from 'vitest';
import { computePriceRange } from './price-range.ts';

const closes = [483.96, 647.3];

test('widens the range of closes when the newest prices are outside of it', () => {
  assert.deepEqual(computePriceRange(closes, [476.35, 470.1, 490]), { low: 470.1, high: 647.3 });
  assert.deepEqual(computePriceRange(closes, [650, null, null]), { low: 483.96, high: 650 });
});

test('keeps the range of closes when the newest prices are within it or unknown', () => {
  for (const newest of [[500], [null], []])
    assert.deepEqual(computePriceRange(closes, newest), { low: 483.96, high: 647.3 });
});

test('returns no range when there are no closes', () => {
  assert.equal(computePriceRange([null, null], [476.35]), null);
  assert.equal(computePriceRange([], [476.35]), null);
});
