import assert from 'node:assert/strict';
import { test } from 'vitest';
import { listRunTimes } from '../../test/support/clock-times.ts';
import type { Schedule } from '../platform/jobs/task.ts';
import { profileSchedule } from './check-profiles.ts';
import { marketCalendar } from './domain/market-calendar.ts';
import { isFeedTime, marketSchedules } from './market-jobs.ts';

/** Each kind of market day, with the first and last quarter of an hour (UTC) of the feed. */
const days = [
  ['a summer day', '2026-07-15', '13:30', '20:30'],
  ['a winter day', '2026-11-20', '14:30', '21:30'],
  ['a half day in summer', '2025-07-03', '13:30', '17:30'],
  ['a half day in winter', '2026-11-27', '14:30', '18:30'],
] as const;

const MINUTE = 60_000;
const schedule = (task: string): Schedule =>
  [...marketSchedules, profileSchedule].find((one) => one.task === task) ?? assert.fail(task);
const clock = (time: Date): string => time.toISOString().slice(11, 16);
const listQuarterHours = (date: string): Date[] =>
  Array.from({ length: 96 }, (_, index) => new Date(Date.parse(date) + index * 15 * MINUTE));
const getCloseTime = (date: string): number => marketCalendar.getTradingHours(date)!.close.getTime();

for (const [name, date, first, last] of days) {
  test(`starts the due jobs of a market day on schedule: ${name}`, () => {
    const refreshTimes = listQuarterHours(date).filter(isFeedTime).map(clock);
    assert.deepEqual([refreshTimes[0], refreshTimes.at(-1)], [first, last]);
    const refreshes = listRunTimes(schedule('market-refresh'), date).map(clock);
    assert.deepEqual(
      refreshTimes.filter((time) => !refreshes.includes(time)),
      [],
      'refreshes every quarter of an hour',
    );

    const closeRuns = listRunTimes(schedule('market-write-closes'), date).filter(
      (time) => time.getTime() >= getCloseTime(date) + 35 * MINUTE,
    );
    assert.deepEqual(
      [closeRuns[0]?.getTime(), closeRuns.length > 1],
      [getCloseTime(date) + 40 * MINUTE, true],
      'writes closes after the last prices and once more later',
    );
    assert.deepEqual(listRunTimes(schedule('market-profiles'), date).filter(isFeedTime), []);

    const evening = [date, new Date(Date.parse(date) + 1_440 * MINUTE).toISOString().slice(0, 10)].flatMap((day) =>
      listRunTimes(schedule('market-refresh-evening'), day),
    );
    assert.equal(
      evening.filter(
        (time) => marketCalendar.toNewYorkDate(time) === date && time.getTime() > getCloseTime(date) + 180 * MINUTE,
      ).length,
      1,
      'refreshes fund prices in the evening of the day',
    );
  });
}
