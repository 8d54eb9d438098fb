import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { ActiveItem } from '../../contract.ts';
import { formatMonthRange } from './month-range.ts';

const createItem = (price: number | null, closes: ActiveItem['closes']) =>
  ({ price, closes, currency: 'USD', price_unit: 'currency' }) as ActiveItem;
const closes: ActiveItem['closes'] = [
  ['2026-10-29', 400],
  ['2026-10-30', 301.5],
  ['2026-11-27', 322.22],
];

test('includes the current price when it is outside of the closes of the month', () => {
  assert.equal(formatMonthRange(createItem(326.82, closes), '2026-10-30'), '$301.50 – $326.82');
  assert.equal(formatMonthRange(createItem(299, closes), '2026-10-30'), '$299.00 – $322.22');
  assert.equal(formatMonthRange(createItem(310, closes), '2026-10-30'), '$301.50 – $322.22');
});

test('keeps the range of the closes when there is no price, and has none without closes', () => {
  assert.equal(formatMonthRange(createItem(null, closes), '2026-10-30'), '$301.50 – $322.22');
  assert.equal(formatMonthRange(createItem(326.82, null), '2026-10-30'), null);
});
