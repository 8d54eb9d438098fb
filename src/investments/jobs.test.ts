import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { newAccount, startInvestmentsApp } from '../../test/support/investments-app.ts';
import { createJobs } from '../jobs/jobs.ts';

test('the worker takes the snapshot and fills the reports; every schedule names a task that there is', async () => {
  const app = await startInvestmentsApp();
  try {
    const { tasks, schedules } = app.investments;
    assert.deepEqual(schedules.map(({ task }) => task).sort(), Object.keys(tasks).sort());
    const account = await newAccount(app, 'user_a', { balance: 7 });
    await app.call('POST', '/api/investments/holdings', 'user_a', { account_id: account, symbol: 'ORCL', quantity: 1 });
    const jobs = createJobs(app.database);
    await jobs.add('take-net-worth-snapshots', {});
    const worker = await jobs.startWorker(tasks, { pollInterval: 100 });
    try {
      const filled = () => app.owner<{ snapshots: number; reports: number }>(
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
