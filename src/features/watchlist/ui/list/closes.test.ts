import assert from 'node:assert/strict';
import { test } from 'vitest';
import { computeChartRanges, subtractDays } from '../../../../market-data/domain/chart-ranges.ts';
import type { Close } from '../../contract.ts';
import { computeChangePercent } from '../../../../ui/kit/price-changes.ts';
import { filterClosesSince, subtractMonth } from './closes.ts';

const isMarketDay = (date: string): boolean => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/**
 * Creates closes for every market day up to a day. The values rise and fall, so that each start day gives a different
 * change.
 */
const closesUpTo = (today: string): Close[] =>
  Array.from({ length: 500 }, (_, index) => subtractDays(today, 499 - index))
    .filter(isMarketDay)
    .map((date, index) => [date, 100 + ((index * 7919) % 41)]);

test("draws the panel's month in the row on every day of two years", { tags: ['slow'] }, () => {
  for (let back = 0; back < 731; back += 1) {
    const today = subtractDays('2028-12-31', back);
    const closes = closesUpTo(today);
    const panel = computeChartRanges(closes, today, { isMarketDay })['1M'];
    const row = filterClosesSince(closes.slice(-30), subtractMonth(today));
    assert.deepEqual(row, panel, today);
    assert.equal(computeChangePercent(row), computeChangePercent(panel ?? null));
  }
});

test('returns no line and no change for fewer than two closes', () => {
  const old: Close[] = [
    ['2026-09-01', 10],
    ['2026-09-02', 11],
    ['2026-11-20', 12],
  ];
  assert.equal(filterClosesSince(old, '2026-10-20'), null);
  assert.equal(filterClosesSince(null, '2026-10-20'), null);
  assert.equal(computeChangePercent(null), null);
});
