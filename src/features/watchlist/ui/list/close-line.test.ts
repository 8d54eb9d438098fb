import assert from 'node:assert/strict';
import { test } from 'vitest';
import { chartRanges, daysBefore } from '../../chart-ranges.ts';
import type { Close } from '../../contract.ts';
import { changeOver, closesSince, monthBefore } from './close-line.ts';

const isMarketDay = (date: string): boolean => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/** Closes of every market day up to a day; they rise and fall, so that each first day gives another change. */
const closesUpTo = (today: string): Close[] =>
  Array.from({ length: 500 }, (_, index) => daysBefore(today, 499 - index))
    .filter(isMarketDay)
    .map((date, index) => [date, 100 + ((index * 7919) % 41)]);

test('a row draws and speaks the month that its panel draws, on every day of two years', { tags: ['slow'] }, () => {
  for (let back = 0; back < 731; back += 1) {
    const today = daysBefore('2028-12-31', back);
    const closes = closesUpTo(today);
    const panel = chartRanges(closes, today, { isMarketDay })['1M'];
    const row = closesSince(closes.slice(-30), monthBefore(today));
    assert.deepEqual(row, panel, today);
    assert.equal(changeOver(row), changeOver(panel ?? null));
  }
});

test('fewer than two closes of the month are no line and no change', () => {
  const old: Close[] = [
    ['2026-09-01', 10],
    ['2026-09-02', 11],
    ['2026-11-20', 12],
  ];
  assert.equal(closesSince(old, '2026-10-20'), null);
  assert.equal(closesSince(null, '2026-10-20'), null);
  assert.equal(changeOver(null), null);
});
