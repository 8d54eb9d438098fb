import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { Schedule, TaskName, Tasks } from '../../../platform/jobs/task.ts';
import type { MarketCalendar } from '../../../market-data/domain/market-calendar.ts';
import { downsampleSnapshots, writeSnapshots } from './queries.ts';

const RECORD_SNAPSHOTS = 'record-net-worth-snapshots' as TaskName<Record<string, never>>;
const DOWNSAMPLE_SNAPSHOTS = 'downsample-net-worth-snapshots' as TaskName<Record<string, never>>;

interface SnapshotDependencies {
  sql: ServiceSql;
  calendar: Pick<MarketCalendar, 'toNewYorkDate'>;
  now: () => Date;
}

/**
 * Writes the net worth of every member under New York's current date. A second run on one day replaces the rows of the
 * first.
 */
export function recordDailySnapshots({ sql, calendar, now }: SnapshotDependencies): Promise<void> {
  return writeSnapshots(sql, calendar.toNewYorkDate(now()));
}

export const snapshotTasks = (deps: SnapshotDependencies): Tasks => ({
  [RECORD_SNAPSHOTS]: () => recordDailySnapshots(deps),
  [DOWNSAMPLE_SNAPSHOTS]: () => downsampleSnapshots(deps.sql, deps.calendar.toNewYorkDate(deps.now())),
});

/**
 * 22:30 UTC is 17:30 or 18:30 in New York, after the close of every day. A missed run is repeated while the date in New
 * York is unchanged.
 */
export const snapshotSchedules: readonly Schedule[] = [
  { task: RECORD_SNAPSHOTS, match: '30 22 * * *', backfillMinutes: 240 },
];

/** Early on Mondays, when a complete week has become old enough. The next run includes missed weeks. */
export const downsampleSchedules: readonly Schedule[] = [
  { task: DOWNSAMPLE_SNAPSHOTS, match: '10 4 * * 1', backfillMinutes: 2880 },
];
