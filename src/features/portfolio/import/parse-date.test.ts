import assert from 'node:assert/strict';
import { test } from 'vitest';
import { findDateOrder, isDate, parseDate } from './parse-date.ts';

test('reads the dates of brokers', () => {
  const cases: [cell: string, date: string][] = [
    ['2026-11-03', '2026-11-03'],
    ['2026/11/03', '2026-11-03'],
    ['20261103', '2026-11-03'],
    ['03.11.2026', '2026-11-03'],
    ['3.11.26', '2026-11-03'],
    ['13/11/2026', '2026-11-13'],
    ['11/13/26', '2026-11-13'],
    ['Nov-03-2026', '2026-11-03'],
    ['3 Nov 2026', '2026-11-03'],
    ['03-Nov-26', '2026-11-03'],
    ['Tue, Nov 3rd, 2026', '2026-11-03'],
    ['3. März 2026', '2026-03-03'],
    ['3 déc. 2026', '2026-12-03'],
    ['2026-11-03T14:31:05.250Z', '2026-11-03T14:31:05.250000000'],
    ['2026-11-03, 09:05:00', '2026-11-03T09:05:00.000000000'],
    ['20261103;090500', '2026-11-03T09:05:00.000000000'],
    ['11/13/2026 3:05 PM', '2026-11-13T15:05:00.000000000'],
    ['11/13/2026 12:05:07 AM', '2026-11-13T00:05:07.000000000'],
    ['11/20/2026 as of 11/19/2026', '2026-11-20'],
    ['29.02.2028', '2028-02-29'],
  ];
  for (const [cell, date] of cases) {
    const { dayFirst, monthFirst } = parseDate(cell);
    assert.ok([dayFirst, monthFirst].includes(date), `${cell}: ${dayFirst}, ${monthFirst}`);
  }
});

test('reads both orders of day and month when both are dates', () => {
  assert.deepEqual(parseDate('03/04/2026'), { dayFirst: '2026-04-03', monthFirst: '2026-03-04' });
  assert.deepEqual(parseDate('03.04.2026'), { dayFirst: '2026-04-03', monthFirst: '2026-04-03' });
});

test('finds no date when the calendar has no such day', () => {
  for (const cell of [
    '31.02.2026',
    '29.02.2026',
    '2026-13-01',
    '00/10/2026',
    '32 Jan 2026',
    '3 Foo 2026',
    '',
    '12',
    'x',
  ])
    assert.equal(isDate(cell), false, cell);
  assert.equal(isDate(`2026-11-03${' '.repeat(200)}x`), false);
});

test('finds the order of a column by a day above twelve, or by the order of the rows', () => {
  const find = (...cells: string[]) => findDateOrder(cells.map(parseDate));
  assert.equal(find('03/04/2026', '25/04/2026'), 'dayFirst');
  assert.equal(find('03/04/2026', '04/25/2026'), 'monthFirst');
  assert.equal(find('03/04/2026', '04/03/2026'), null);
  const sorted = ['01/05/2026', '02/05/2026', '05/05/2026', '01/06/2026', '04/06/2026', '02/07/2026'];
  assert.equal(find(...sorted), 'dayFirst');
  assert.equal(find(...sorted.toReversed()), 'dayFirst');
  assert.equal(find('', '2026-01-01'), 'dayFirst');
});
