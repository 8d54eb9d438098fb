import assert from 'node:assert/strict';
import { test } from 'vitest';
import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import { computeChartRanges, subtractDays, subtractMonths, computeRangeStarts } from './chart-ranges.ts';
import type { Close } from './contract.ts';

/** A close on every market day from one date to another. */
function createCloses(from: string, to: string): Close[] {
  const closes: Close[] = [];
  for (let date = from; date <= to; date = subtractDays(date, -1))
    if (marketCalendar.isMarketDay(date)) closes.push([date, 100]);
  return closes;
}
const listRangeNames = (from: string, today: string, to = today): string[] =>
  Object.keys(computeChartRanges(createCloses(from, to), today, marketCalendar));

test('ranges begin on the same day of an earlier month, or on its last', () => {
  assert.deepEqual(computeRangeStarts('2026-11-18'), {
    '1W': '2026-11-11',
    '1M': '2026-10-18',
    '3M': '2026-08-18',
    '6M': '2026-05-18',
    YTD: '2026-01-01',
    '1Y': '2025-11-18',
  });
  assert.deepEqual(
    [
      subtractMonths('2026-03-31', 1),
      subtractMonths('2028-02-29', 12),
      subtractMonths('2026-01-31', 3),
      subtractMonths('2028-03-30', 1),
    ],
    ['2026-02-28', '2027-02-28', '2025-10-31', '2028-02-29'],
  );
});

test('a range is offered only where the history reaches its beginning', () => {
  assert.deepEqual(listRangeNames('2025-11-18', '2026-11-18'), ['1W', '1M', '3M', '6M', 'YTD', '1Y']);
  assert.deepEqual(
    listRangeNames('2025-11-20', '2026-11-18'),
    ['1W', '1M', '3M', '6M', 'YTD'],
    'two market days are missing of the year',
  );
  assert.deepEqual(listRangeNames('2026-08-18', '2026-11-18'), ['1W', '1M', '3M']);
  assert.deepEqual(listRangeNames('2026-11-03', '2026-11-18'), ['1W']);
  assert.deepEqual(listRangeNames('2026-11-16', '2026-11-18'), []);
  assert.deepEqual(computeChartRanges([], '2026-11-18', marketCalendar), {});
  const early = computeChartRanges(createCloses('2026-11-02', '2026-11-20'), '2026-11-18', marketCalendar);
  assert.deepEqual(early['1W']?.at(-1), ['2026-11-18', 100], 'and ends today, whatever a provider has dated later');
});

test('weekends, holidays and one day of another exchange’s calendar do not take a range away', () => {
  assert.deepEqual(listRangeNames('2026-01-02', '2026-11-18').includes('YTD'), true, 'New Year’s Day is closed');
  assert.deepEqual(listRangeNames('2026-07-06', '2026-08-03').includes('1M'), true, 'July 3 to 5 are closed');
  assert.deepEqual(listRangeNames('2025-11-19', '2026-11-18').includes('1Y'), true, 'one market day is forgiven');
});

test('a range that holds fewer than two closes is not offered', () => {
  assert.deepEqual(listRangeNames('2025-01-02', '2027-01-04', '2026-12-31').includes('YTD'), false);
  assert.deepEqual(
    listRangeNames('2024-01-02', '2026-11-18', '2026-09-01'),
    ['3M', '6M', 'YTD', '1Y'],
    'trading stopped in September',
  );
});
