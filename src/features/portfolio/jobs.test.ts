import assert from 'node:assert/strict';
import { test } from 'vitest';
import { listRunTimes } from '../../../test/support/clock-times.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { addHolding, createAccount, startInvestmentsApp } from '../../../test/support/investments-app.ts';
import { createJobs } from '../../platform/jobs/jobs.ts';
import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import { refreshEarnings } from '../../market-data/services/earnings/refresh-earnings.ts';
import { earningsSchedules, refreshHeldEarnings } from './holdings/refresh-held-earnings.ts';
import { snapshotSchedules, downsampleSchedules } from './net-worth/record-snapshots.ts';

test('names an existing task in each schedule of snapshots and reports', async () => {
  const app = await startInvestmentsApp();
  try {
    const { tasks, schedules } = app.investments;
    assert.deepEqual(schedules.map(({ task }) => task).sort(), Object.keys(tasks).sort());
    const account = await createAccount(app, 'user_a', { balance: 7 });
    await addHolding(app, 'user_a', account, 'ORCL');
    const jobs = createJobs(app.database);
    await jobs.add('record-net-worth-snapshots', {});
    const worker = await jobs.startWorker(tasks, { pollIntervalMs: 100 });
    try {
      const listRefreshedSymbols = () =>
        app.owner<{ snapshots: number; reports: number }>(
          `select (select count(*)::int from public.net_worth_snapshots where idp_id = 'user_a') as snapshots,
                (select count(*)::int from public.earnings where symbol = 'ORCL') as reports`,
        );
      await eventually(async () =>
        (await listRefreshedSymbols()).some(({ snapshots, reports }) => snapshots === 1 && reports > 0),
      );
    } finally {
      await worker.stop();
    }
  } finally {
    await app.close();
  }
});

test("retries a company's reports without a response, unless no plan covers them", async () => {
  const app = await startInvestmentsApp();
  try {
    const sql = app.database.service;
    const runRefresh = (response: object, symbols?: string[]) => {
      const fetch = async () => ({ fetched: [], complete: false, notCovered: false, ...response });
      const market = {
        refreshEarnings: (companies: readonly string[]) =>
          refreshEarnings({ sql, fetch, now: () => new Date() }, companies),
      };
      return refreshHeldEarnings({ sql, market }, symbols);
    };
    await assert.rejects(runRefresh({}, ['AAPL']), /AAPL/);
    await runRefresh({ notCovered: true }, ['AAPL']);
    await runRefresh({ complete: true }, ['AAPL']);
    const account = await createAccount(app, 'user_a');
    await addHolding(app, 'user_a', account, 'AAPL');
    await runRefresh({});
  } finally {
    await app.close();
  }
});

const HOUR = 3_600_000;

for (const [season, date] of [
  ['summer', '2026-07-15'],
  ['winter', '2026-11-20'],
] as const) {
  test(`records net worth after the close and reports before the open in ${season}`, () => {
    const { open, close } = marketCalendar.getTradingHours(date)!;
    const [snapshot] = snapshotSchedules;
    const [reports] = earningsSchedules;
    const snapshotRuns = listRunTimes(snapshot!, date);
    assert.equal(snapshotRuns.length, 1);
    assert.ok(snapshotRuns[0]! > close);
    assert.equal(
      marketCalendar.toNewYorkDate(new Date(snapshotRuns[0]!.getTime() + snapshot!.backfillMinutes! * 60_000)),
      date,
      "a run that was missed still has the day's date",
    );
    const refreshRuns = listRunTimes(reports!, date);
    assert.equal(refreshRuns.length, 1);
    assert.equal(marketCalendar.toNewYorkDate(refreshRuns[0]!), date);
    assert.ok(refreshRuns[0]!.getTime() < open.getTime() - 4 * HOUR, 'companies report from about six on');
  });
}

test('runs both jobs on every day of the week', () => {
  const week = Array.from({ length: 7 }, (_, day) =>
    new Date(Date.parse('2026-11-16') + day * 24 * HOUR).toISOString().slice(0, 10),
  );
  for (const schedule of [...snapshotSchedules, ...earningsSchedules])
    assert.deepEqual(
      week.map((date) => listRunTimes(schedule, date).length),
      [1, 1, 1, 1, 1, 1, 1],
      schedule.task,
    );
});

test('downsamples snapshots once a week', () => {
  const days = Array.from({ length: 7 }, (_, day) =>
    new Date(Date.parse('2026-11-16') + day * 24 * HOUR).toISOString().slice(0, 10),
  );
  assert.deepEqual(
    days.flatMap((date) => listRunTimes(downsampleSchedules[0]!, date)).map((at) => at.toISOString()),
    ['2026-11-16T04:10:00.000Z'],
  );
});
