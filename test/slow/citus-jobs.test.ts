// @module-tag slow
// @module-tag alone
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'vitest';
import { startModelApi } from '../fakes/model-api.ts';
import { startCitusForTest } from '../support/citus.ts';
import { eventually } from '../support/eventually.ts';
import { startService, type TestService } from '../support/service.ts';
import type { TestScope } from '../support/test-scope.ts';
import { LOG_FILE_SETTINGS, type StatementTasks, TaskLog } from './citus/statement-tasks.ts';
import { walkMemberRoutes } from './citus/walk-member-routes.ts';

/** Number of shards of each distributed table. */
const SHARDS = 4;

/**
 * Maximum number of tasks of a statement, by job. A statement about one member has a task for each table that it reads
 * or writes separately. A statement about all members has `SHARDS` tasks for each such table.
 */
const TASK_LIMITS: Readonly<Record<string, number>> = {
  'billing-cancel-customer': 1,
  'billing-reconcile': 1,
  'billing-sync': 2,
  // Alerts are on the coordinator, where prices are stored.
  'cleanup-alerts': 0,
  'cleanup-analytics': SHARDS,
  // The ends of ranges and the last member are found apart.
  'cleanup-assistant': 2 * SHARDS,
  'cleanup-embedded-bank': 0,
  'cleanup-embedded-brokerage': 0,
  'cleanup-embedded-identity': 0,
  'cleanup-embedded-payments': 0,
  'cleanup-identity': 0,
  'demo-access-reconcile': 0,
  'demo-access-revoke-session': 0,
  'downsample-net-worth-snapshots': 2 * SHARDS,
  // Its payload names no member.
  'finish-connection-attempt': SHARDS,
  'forward-analytics': SHARDS,
  'market-backfill': 0,
  'market-cleanup': 0,
  'market-profiles': 0,
  // Lists and holdings are read apart.
  'market-refresh': 2 * SHARDS,
  'market-refresh-evening': 2 * SHARDS,
  // A price is written on the coordinator and both workers.
  'market-refresh-symbol': 3,
  'market-write-closes': 2 * SHARDS,
  'poll-connection-attempts': SHARDS,
  // The workers read and write in two steps.
  'record-net-worth-snapshots': 2 * SHARDS,
  'referrals-mark-completed': 2,
  // A referral link does not tell its member's worker.
  'referrals-track-signup': SHARDS,
  // Lists and holdings are read apart.
  'refresh-dividends': 2 * SHARDS,
  'refresh-exchange-rates': 0,
  // Held symbols are then joined with the copy of the catalog.
  'refresh-held-earnings': SHARDS + 1,
  'reset-demo-data': 3,
  'revoke-aggregator-access': SHARDS,
  // Runs once, when there are few members.
  'seed-first-run': 6 * SHARDS,
  // Its payload names no member.
  'sync-connection': SHARDS,
  'sync-overdue-connections': SHARDS,
};

/** Jobs that may pass rows through the coordinator: one runs once, and the other passes each symbol once. */
const MAY_PASS_ROWS: readonly string[] = ['seed-first-run', 'refresh-held-earnings'];

/** Payloads of jobs, if they need one. */
const createPayloads = ([referred, referrer]: readonly string[]): Record<string, object> => ({
  'demo-access-revoke-session': { session_id: 'sess_unknown', invitation_id: null },
  // Runs outside the market's hours too.
  'market-refresh': { always: true },
  'market-refresh-evening': { always: true },
  'market-refresh-symbol': { symbol: 'AAPL' },
  'market-backfill': { symbol: 'AAPL', again: true },
  'referrals-mark-completed': { referred },
  'referrals-track-signup': { referred, referrer },
  'seed-first-run': { members: [] },
});

/** Jobs that only the walk and other jobs add. Their payloads name rows that must exist. */
const ADDED_BY_WALK: readonly string[] = [
  'billing-cancel-customer',
  'billing-sync',
  'finish-connection-attempt',
  'revoke-aggregator-access',
  'sync-connection',
];

test('keeps to the limit of tasks and passes no rows through the coordinator when a job runs', async (t) => {
  const citus = await startCitusForTest(t, { settings: LOG_FILE_SETTINGS, shards: SHARDS });
  const model = await startModelApi();
  t.onTestFinished(() => model.close());
  const textsByJob = recordStatementsOfJobs(t);
  const service = await startService({
    SANDBOX: 'on',
    API_RATE_LIMIT: '9999',
    ANTHROPIC_API_KEY: 'sk-test-key',
    ANTHROPIC_BASE_URL: model.url,
    POSTHOG_API_KEY: 'phc_test',
    POSTHOG_URL: await startAnalyticsService(t),
  });
  t.onTestFinished(() => service.stop());
  const log = new TaskLog(citus, service.database);
  await log.start();
  let registered: string[] = [];
  await walkMemberRoutes(service, async (route) => {
    // The member then has rows of all kinds.
    if (route !== 'GET /api/me/export') return;
    registered = await listRegisteredJobs(service);
    await runJobs(service, registered);
  });
  await waitForJobs(service);
  const statements = await log.readNew();
  const byJob = [...textsByJob].map(([job, texts]) => ({
    job,
    statements: statements.filter(({ text }) => texts.has(text)),
  }));
  console.table(byJob.map(({ job, statements: ofJob }) => ({ job, 'most tasks': maxTasks(ofJob) })));
  assert.deepEqual(Object.keys(TASK_LIMITS).toSorted(), registered, 'jobs with a limit');
  assert.deepEqual([...textsByJob.keys()].toSorted(), registered, 'jobs that ran');
  const describe = (job: string, { text, tasks }: StatementTasks): string =>
    `${job}: ${tasks} tasks: ${text.replaceAll(/\s+/g, ' ')}`;
  const above = byJob.flatMap(({ job, statements: ofJob }) =>
    ofJob.filter(({ tasks }) => tasks > TASK_LIMITS[job]!).map((statement) => describe(job, statement)),
  );
  assert.deepEqual([...new Set(above)], [], 'statements with more tasks than their job may have');
  const passing = byJob.flatMap(({ job, statements: ofJob }) =>
    ofJob
      .filter(({ shards, passesRows }) => shards > 1 && passesRows && !MAY_PASS_ROWS.includes(job))
      .map((statement) => describe(job, statement)),
  );
  assert.deepEqual([...new Set(passing)], [], 'statements that pass rows through the coordinator');
});

const maxTasks = (statements: readonly StatementTasks[]): number =>
  Math.max(0, ...statements.map(({ tasks }) => tasks));

/** Returns the jobs of the worker, which names them to the queue when it starts. */
async function listRegisteredJobs({ database: { owner } }: TestService): Promise<string[]> {
  const rows = await owner<{ identifier: string }>(
    'select identifier from graphile_worker._private_tasks order by identifier',
  );
  return rows.map(({ identifier }) => identifier);
}

/** Runs each registered job once and waits until no job is left. */
async function runJobs(service: TestService, registered: readonly string[]): Promise<void> {
  const { owner } = service.database;
  await owner(`update public.connections set sync_attempted_at = now() - interval '2 days'`);
  const members = await owner<{ idp_id: string }>('select idp_id from public.all_users order by idp_id limit 2');
  const payloads = createPayloads(members.map(({ idp_id: idpId }) => idpId));
  for (const job of registered) {
    if (ADDED_BY_WALK.includes(job)) continue;
    await owner('select graphile_worker.add_job($1, $2)', [job, JSON.stringify(payloads[job] ?? {})]);
    await waitForJobs(service);
  }
}

/** Waits until no due job is left, and asserts that none failed. */
async function waitForJobs({ database: { owner } }: TestService): Promise<void> {
  let left: { job: string; error: string | null }[] = [];
  await eventually(
    async () => {
      left = await owner(
        'select task_identifier as job, last_error as error from graphile_worker.jobs where run_at < now()',
      );
      return left.length === 0 || left.some(({ error }) => error !== null);
    },
    () => `jobs ended: ${left.map(({ job }) => job).join(', ')}`,
  );
  assert.deepEqual(left, [], 'failed jobs');
}

/** Records the texts of the statements that each job of this process sends. */
function recordStatementsOfJobs(t: TestScope): ReadonlyMap<string, ReadonlySet<string>> {
  const texts = new Map<string, Set<string>>();
  const currentJob = new AsyncLocalStorage<string>();
  const jobs = tracingChannel<string, { task: string }>('tally:job');
  const statements = tracingChannel<unknown, { text: string }>('tally:statement');
  jobs.start.bindStore(currentJob, ({ task }) => {
    texts.set(task, texts.get(task) ?? new Set());
    return task;
  });
  const record = (message: unknown): void => {
    texts.get(currentJob.getStore() ?? '')?.add((message as { text: string }).text);
  };
  statements.start.subscribe(record);
  t.onTestFinished(() => {
    jobs.start.unbindStore(currentJob);
    statements.start.unsubscribe(record);
  });
  return texts;
}

/** Starts an analytics service that accepts every event, and returns its URL. */
async function startAnalyticsService(t: TestScope): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"status":1}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.onTestFinished(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
