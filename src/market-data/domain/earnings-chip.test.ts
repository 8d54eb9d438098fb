import assert from 'node:assert/strict';
import { test } from 'vitest';
import { addDays } from './dates.ts';
import { getEarningsChip } from './earnings-chip.ts';

test('counts market days in the earnings chip', () => {
  // A Monday. The Thursday of that week is Thanksgiving.
  const chips = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-23'];
  assert.deepEqual(
    chips.map((date) => getEarningsChip('2026-11-16', date).chip),
    ['Today', 'Tmrw', '2d', '3d', '4d', '5d'],
  );
  assert.deepEqual(getEarningsChip('2026-11-25', '2026-11-27'), { market_days: 1, chip: 'Tmrw' });
});

test('has no chip when the report is past or more than seven days away', () => {
  assert.equal(getEarningsChip('2026-11-16', '2026-11-24').chip, null);
  assert.deepEqual(getEarningsChip('2026-11-18', '2026-11-26'), { market_days: 6, chip: null });
  assert.equal(getEarningsChip('2026-11-16', '2026-11-13').chip, null);
});

test('shows "Tmrw" for the next market day when a weekend lies between', () => {
  for (const today of ['2026-11-20', '2026-11-21', '2026-11-22'])
    assert.deepEqual(getEarningsChip(today, '2026-11-23'), { market_days: 1, chip: 'Tmrw' }, today);
});

test('counts to the day of a report when the markets are closed on it', () => {
  // The 26th is Thanksgiving, the 27th a Friday.
  assert.deepEqual(getEarningsChip('2026-11-25', '2026-11-26'), { market_days: 1, chip: 'Tmrw' });
  assert.deepEqual(getEarningsChip('2026-11-27', '2026-11-28'), { market_days: 1, chip: 'Tmrw' });
  assert.deepEqual(getEarningsChip('2026-11-28', '2026-11-28'), { market_days: 0, chip: 'Today' });
  assert.deepEqual(getEarningsChip('2026-12-05', '2026-12-12'), { market_days: 6, chip: '6d' });
});

test('has a chip for each of the next seven days on every date of ten years', () => {
  for (let today = '2020-01-01'; today < '2030-01-01'; today = addDays(today, 1)) {
    for (let daysAway = 0; daysAway <= 7; daysAway += 1) {
      const { market_days: days, chip } = getEarningsChip(today, addDays(today, daysAway));
      const expected = ['Today', 'Tmrw'][days] ?? `${days}d`;
      assert.equal(chip, expected, `${today} and ${daysAway} days`);
      assert.equal(days === 0, daysAway === 0, `${today} and ${daysAway} days`);
    }
  }
});
