import { parseCronItem } from 'graphile-worker';
import type { Schedule } from '../../src/platform/jobs/task.ts';

/**
 * Returns the minutes of a UTC day (YYYY-MM-DD) in which the scheduler adds a schedule's job, as the worker parses the
 * schedule.
 */
export function listRunTimes({ task, match }: Schedule, date: string): Date[] {
  const item = parseCronItem({ task, match });
  const minutes = Array.from({ length: 24 * 60 }, (_, minute) => new Date(Date.parse(date) + minute * 60_000));
  return minutes.filter((time) =>
    item.match({
      min: time.getUTCMinutes(),
      hour: time.getUTCHours(),
      date: time.getUTCDate(),
      month: time.getUTCMonth() + 1,
      dow: time.getUTCDay(),
    }),
  );
}
