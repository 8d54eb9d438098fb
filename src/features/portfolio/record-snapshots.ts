import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Schedule, TaskName, Tasks } from '../../platform/jobs/task.ts';
import type { MarketCalendar } from '../../market-data/domain/market-calendar.ts';
import { downsampleSnapshots, writeSnapshots } from './net-worth-queries.ts';

const RECORD_SNAPSHOTS = 'take-net-worth-snapshots' as TaskName<Record<string, never>>;
const DOWNSAMPLE_SNAPSHOTS = 'thin-net-worth-snapshots' as TaskName<Record<string, never>>;

interface SnapshotDependencies {
  sql: ServiceSql;
  calendar: Pick<MarketCalendar, 'toNewYorkDate'>;
  now: () => Date;
}

/**
 * Writes the net worth of every member under New York's date of now. Run again the same day it replaces what it wrote.
 */
export function recordDailySnapshots({ sql, calendar, now }: SnapshotDependencies): Promise<number> {
  return writeSnapshots(sql, calendar.toNewYorkDate(now()));
}

export const snapshotTasks = (deps: SnapshotDependencies): Tasks => ({
  [RECORD_SNAPSHOTS]: async () => void (await recordDailySnapshots(deps)),
  [DOWNSAMPLE_SNAPSHOTS]: async () =>
    void (await downsampleSnapshots(deps.sql, deps.calendar.toNewYorkDate(deps.now()))),
});

/**
 * 22:30 UTC is 17:30 or 18:30 in New York, after the close of every day; a missed hour is made up for while it is the
 * same date there.
 */
export const snapshotSchedules: readonly Schedule[] = [
  { task: RECORD_SNAPSHOTS, match: '30 22 * * *', backfillMinutes: 240 },
];

/** Early on Mondays: the week that has grown too old is thinned at once. What was missed is in the next one's. */
export const downsampleSchedules: readonly Schedule[] = [
  { task: DOWNSAMPLE_SNAPSHOTS, match: '10 4 * * 1', backfillMinutes: 2880 },
];
