import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { jobsCommand } from './cli.ts';
import { createJobs } from './jobs.ts';
import { countWorkers } from './queries.ts';
import type { TaskName } from './task.ts';

const TASK = 'cli-example' as TaskName<{ secret?: string }>;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.owner('delete from graphile_worker._private_jobs'));
afterAll(() => db.drop());

async function tally(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const result = { out: '', err: '' };
  const io = {
    out(text: string) {
      result.out += text;
    },
    err(text: string) {
      result.err += text;
    },
  };
  return { code: await jobsCommand((work) => work(db.database)).run(argv, io), ...result };
}

/** Adds a job in the state of the columns. Returns its id. */
async function addJob(columns: string): Promise<string> {
  const id = await createJobs(db.database).add(TASK, { secret: 'x' });
  await db.owner(`update graphile_worker._private_jobs set ${columns} where id = $1`, [id]);
  return id;
}

const FAILED = `attempts = max_attempts, last_error = E'Refused.\\nat line 1'`;

test('lists failed and overdue jobs without waiting, running and future ones', async () => {
  const overdue = await addJob(`run_at = now() - interval '10 minutes'`);
  const failed = await addJob(FAILED);
  await addJob(`run_at = now() + interval '1 hour'`);
  await addJob(`run_at = now() - interval '10 minutes', locked_at = now(), locked_by = 'w'`);
  await addJob('priority = 1');
  const { code, out } = await tally('list', '--json');
  const jobs = JSON.parse(out) as { id: string; state: string; task: string }[];
  assert.deepEqual(
    [code, jobs.map(({ id, state, task }) => [id, state, task])],
    [
      0,
      [
        [failed, 'failed', TASK],
        [overdue, 'overdue', TASK],
      ],
    ],
  );
  const table = await tally('list');
  assert.match(table.out, new RegExp(`^${failed} +cli-example +failed +25/25 .* Refused\\.$`, 'm'));
  assert.doesNotMatch(table.out, /secret|at line 1/);
});

test('names the jobs that it cannot retry', async () => {
  const first = await addJob(FAILED);
  const second = await addJob(FAILED);
  const running = await addJob(`locked_at = now(), locked_by = 'w'`);
  assert.deepEqual(await tally('retry', first, running, '999999999'), {
    code: 1,
    out: '1 job will run again.\n',
    err: `tally jobs: not retried, since they do not exist or are running: ${running}, 999999999.\n`,
  });
  assert.deepEqual(await tally('retry', '--failed'), { code: 0, out: '1 job will run again.\n', err: '' });
  const rows = await db.owner<{ id: string }>(
    `select id::text as id from graphile_worker._private_jobs where attempts = 0 and locked_at is null order by 1`,
  );
  assert.deepEqual(
    rows.map(({ id }) => id),
    [first, second].toSorted(),
  );
  assert.equal((await tally('list')).out, 'No job has failed or is overdue.\n');
});

test('rejects ids that are no numbers or stand beside --failed', async () => {
  for (const argv of [
    ['retry'],
    ['retry', 'x'],
    ['retry', '-1'],
    ['retry', '1', '--failed'],
    ['retry', '9'.repeat(30)],
  ])
    assert.equal((await tally(...argv)).code, 2, argv.join(' '));
});

test('counts connected workers until they stop', async () => {
  assert.equal(await countWorkers(db.database.service), 0);
  const worker = await createJobs(db.database).startWorker({});
  const isCounted = async () => (await countWorkers(db.database.service)) === 1;
  await eventually(isCounted);
  await worker.stop();
  assert.equal(await countWorkers(db.database.service), 0);
});
