import assert from 'node:assert/strict';
import { test } from 'vitest';
import { marketCalendar } from './market-calendar.ts';
import {
  computeChartRanges,
  type DatedClose,
  subtractDays,
  subtractMonths,
  computeRangeStarts,
} from './chart-ranges.ts';

/** Creates a close for every market day between two dates. */
function createCloses(from: string, to: string): DatedClose[] {
  const closes: DatedClose[] = [];
  for (let date = from; date <= to; date = subtractDays(date, -1))
    if (marketCalendar.isMarketDay(date)) closes.push([date, 100]);
  return closes;
}
const listRangeNames = (from: string, today: string, to = today): string[] =>
  Object.keys(computeChartRanges(createCloses(from, to), today, marketCalendar));

test('starts a range on its day of an earlier month, or on the month’s last day', () => {
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

test('offers a range only when the history reaches its start', () => {
  assert.deepEqual(listRangeNames('2025-11-18', '2026-11-18'), ['1W', '1M', '3M', '6M', 'YTD', '1Y']);
  assert.deepEqual(
    listRangeNames('2025-11-20', '2026-11-18'),
    ['1W', '1M', '3M', '6M', 'YTD'],
    'two market days of the year are missing',
  );
  assert.deepEqual(listRangeNames('2026-08-18', '2026-11-18'), ['1W', '1M', '3M']);
  assert.deepEqual(listRangeNames('2026-11-03', '2026-11-18'), ['1W']);
  assert.deepEqual(listRangeNames('2026-11-16', '2026-11-18'), []);
  assert.deepEqual(computeChartRanges([], '2026-11-18', marketCalendar), {});
  const early = computeChartRanges(createCloses('2026-11-02', '2026-11-20'), '2026-11-18', marketCalendar);
  assert.deepEqual(early['1W']?.at(-1), ['2026-11-18', 100], 'ends today, even if a provider has later dates');
});

test('keeps a range with gaps from weekends, holidays or one foreign holiday', () => {
  assert.deepEqual(listRangeNames('2026-01-02', '2026-11-18').includes('YTD'), true, 'New Year’s Day is closed');
  assert.deepEqual(listRangeNames('2026-07-06', '2026-08-03').includes('1M'), true, 'July 3 to 5 are closed');
  assert.deepEqual(
    listRangeNames('2025-11-19', '2026-11-18').includes('1Y'),
    true,
    'one missing market day is tolerated',
  );
});

test('omits a range with fewer than two closes', () => {
  assert.deepEqual(listRangeNames('2025-01-02', '2027-01-04', '2026-12-31').includes('YTD'), false);
  assert.deepEqual(
    listRangeNames('2024-01-02', '2026-11-18', '2026-09-01'),
    ['3M', '6M', 'YTD', '1Y'],
    'trading stopped in September',
  );
});
