import assert from 'node:assert/strict';
import { test } from 'vitest';
import { timesOf } from '../../../test/support/clock-times.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { hold, newAccount, startInvestmentsApp } from '../../../test/support/investments-app.ts';
import { createJobs } from '../../platform/jobs/jobs.ts';
import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import { fillReports } from '../../market-data/services/earnings/fill-reports.ts';
import { earningsSchedules, fillEarnings } from './fill-earnings.ts';
import { snapshotSchedules, thinSchedules } from './take-snapshots.ts';

test('the worker takes the snapshot and fills the reports; every schedule names a task that there is', async () => {
  const app = await startInvestmentsApp();
  try {
    const { tasks, schedules } = app.investments;
    assert.deepEqual(schedules.map(({ task }) => task).sort(), Object.keys(tasks).sort());
    const account = await newAccount(app, 'user_a', { balance: 7 });
    await hold(app, 'user_a', account, 'ORCL');
    const jobs = createJobs(app.database);
    await jobs.add('take-net-worth-snapshots', {});
    const worker = await jobs.startWorker(tasks, { pollInterval: 100 });
    try {
      const filled = () =>
        app.owner<{ snapshots: number; reports: number }>(
          `select (select count(*)::int from public.net_worth_snapshots where idp_id = 'user_a') as snapshots,
                (select count(*)::int from public.earnings where symbol = 'ORCL') as reports`,
        );
      await eventually(async () => (await filled()).some(({ snapshots, reports }) => snapshots === 1 && reports > 0));
    } finally {
      await worker.stop();
    }
  } finally {
    await app.close();
  }
});

test('the job of a newly held company tries again without an answer, not where no plan covers reports', async () => {
  const app = await startInvestmentsApp();
  try {
    const sql = app.database.service;
    const fill = (answer: object, symbols?: string[]) => {
      const fetch = async () => ({ fetched: [], complete: false, notCovered: false, ...answer });
      const market = {
        fillReports: (companies: readonly string[]) => fillReports({ sql, fetch, now: () => new Date() }, companies),
      };
      return fillEarnings({ sql, market }, symbols);
    };
    await assert.rejects(fill({}, ['AAPL']), /AAPL/);
    await fill({ notCovered: true }, ['AAPL']);
    await fill({ complete: true }, ['AAPL']);
    const account = await newAccount(app, 'user_a');
    await hold(app, 'user_a', account, 'AAPL');
    await fill({});
  } finally {
    await app.close();
  }
});

const HOUR = 3_600_000;

for (const [season, date] of [
  ['summer', '2026-07-15'],
  ['winter', '2026-11-20'],
] as const) {
  test(`on a day in ${season} worth is noted after the close, reports are filled before the open, late too`, () => {
    const { open, close } = marketCalendar.hoursOf(date)!;
    const [[snapshot], [reports]] = [snapshotSchedules, earningsSchedules];
    const noted = timesOf(snapshot!, date);
    assert.equal(noted.length, 1);
    assert.ok(noted[0]! > close);
    assert.equal(
      marketCalendar.newYorkDate(new Date(noted[0]!.getTime() + snapshot!.backfillMinutes! * 60_000)),
      date,
      "a run that was missed still has the day's date",
    );
    const filled = timesOf(reports!, date);
    assert.equal(filled.length, 1);
    assert.equal(marketCalendar.newYorkDate(filled[0]!), date);
    assert.ok(filled[0]!.getTime() < open.getTime() - 4 * HOUR, 'companies report from about six on');
  });
}

test('both run on every day of the week', () => {
  const week = Array.from({ length: 7 }, (_, day) =>
    new Date(Date.parse('2026-11-16') + day * 24 * HOUR).toISOString().slice(0, 10),
  );
  for (const schedule of [...snapshotSchedules, ...earningsSchedules])
    assert.deepEqual(
      week.map((date) => timesOf(schedule, date).length),
      [1, 1, 1, 1, 1, 1, 1],
      schedule.task,
    );
});

test('snapshots are thinned once a week', () => {
  const days = Array.from({ length: 7 }, (_, day) =>
    new Date(Date.parse('2026-11-16') + day * 24 * HOUR).toISOString().slice(0, 10),
  );
  assert.deepEqual(
    days.flatMap((date) => timesOf(thinSchedules[0]!, date)).map((at) => at.toISOString()),
    ['2026-11-16T04:10:00.000Z'],
  );
});
