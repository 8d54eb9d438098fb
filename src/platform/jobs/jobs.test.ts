import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { eventually, eventuallyEquals } from '../../../test/support/eventually.ts';
import { addJobInTransaction } from './add-job.ts';
import { releaseJobsOfDeadWorkers } from './dead-workers.ts';
import { createJobs } from './jobs.ts';
import type { TaskHelpers, TaskName } from './task.ts';
import { CompletionRetryPool } from './worker-pool.ts';

const GREET_TASK = 'greet' as TaskName<{ name: string }>;
const UNKNOWN_TASK = 'unknown-task' as TaskName<{ name: string }>;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Collects the payloads of a task. `next` waits for one more. */
function inbox<Payload>() {
  const waiting: ((item: [Payload, TaskHelpers]) => void)[] = [];
  const items: [Payload, TaskHelpers][] = [];
  return {
    task: async (payload: Payload, helpers: TaskHelpers) => {
      const waiter = waiting.shift();
      if (waiter) waiter([payload, helpers]);
      else items.push([payload, helpers]);
    },
    next: () =>
      new Promise<[Payload, TaskHelpers]>((resolve) => {
        const item = items.shift();
        if (item) resolve(item);
        else waiting.push(resolve);
      }),
  };
}

/** Returns the connections that hold a worker's lock. */
const countLivenessLocks = () =>
  db.owner<{ pid: number }>(`select l.pid from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and a.application_name = 'tally worker'
      and a.datname = current_database()`);

test('runs a job once with its payload as the service’s login', async () => {
  const jobs = createJobs(db.database);
  const greeted = inbox<{ name: string }>();
  const worker = await jobs.startWorker({ [GREET_TASK]: greeted.task });
  try {
    await jobs.add(GREET_TASK, { name: 'Ada' });
    const [payload, helpers] = await greeted.next();
    assert.deepEqual(payload, { name: 'Ada' });
    assert.deepEqual([helpers.attempt, helpers.maxAttempts, helpers.signal.aborted], [1, 25, false]);
    assert.equal(await jobs.isQueueReady(), true);
    const users = await db.owner(
      `select distinct usename from pg_stat_activity
       where application_name = 'tally worker' and datname = current_database()`,
    );
    assert.deepEqual(users, [{ usename: 'service_authenticator' }]);
  } finally {
    await worker.stop();
  }
  assert.deepEqual(await db.owner('select id from graphile_worker.jobs'), []);
});

test('adds a job only when its transaction commits', async () => {
  const count = () =>
    db.owner<{ n: number }>(
      `select count(*)::int as n from graphile_worker.jobs where task_identifier = 'unknown-task'`,
    );
  await assert.rejects(
    db.database.service.transaction(async (sql) => {
      await addJobInTransaction(sql, UNKNOWN_TASK, { name: 'lost' });
      throw new Error('no');
    }),
  );
  assert.deepEqual(await count(), [{ n: 0 }]);
  await db.database.service.transaction((sql) => addJobInTransaction(sql, UNKNOWN_TASK, { name: 'kept' }));
  assert.deepEqual(await count(), [{ n: 1 }]);
});

test('replaces the waiting job when a job has its key', async () => {
  const jobs = createJobs(db.database);
  const first = await jobs.add(UNKNOWN_TASK, { name: 'one' }, { key: 'k' });
  assert.equal(await jobs.add(UNKNOWN_TASK, { name: 'two' }, { key: 'k' }), first);
});

test('adds several jobs with their own attempts and replaces waiting keys', async () => {
  const jobs = createJobs(db.database);
  const waiting = () =>
    db.owner(
      `select key, payload, max_attempts as tries from graphile_worker._private_jobs where key like 'many:%'
       order by key`,
    );
  await jobs.addAll([]);
  assert.deepEqual(await waiting(), []);
  await jobs.addAll([
    { task: UNKNOWN_TASK, payload: { name: 'one' }, key: 'many:1' },
    { task: UNKNOWN_TASK, payload: { name: 'two' }, key: 'many:2', maxAttempts: 3 },
  ]);
  await jobs.addAll([{ task: UNKNOWN_TASK, payload: { name: 'uno' }, key: 'many:1' }]);
  assert.deepEqual(await waiting(), [
    { key: 'many:1', payload: { name: 'uno' }, tries: 25 },
    { key: 'many:2', payload: { name: 'two' }, tries: 3 },
  ]);
});

test('retries a task that throws', async () => {
  const jobs = createJobs(db.database);
  const tries = inbox<object>();
  const flaky = 'flaky' as TaskName<object>;
  const worker = await jobs.startWorker(
    {
      [flaky]: async (payload: object, helpers: TaskHelpers) => {
        await tries.task(payload, helpers);
        if (helpers.attempt === 1) throw new Error('not yet');
      },
    },
    { pollIntervalMs: 200 },
  );
  try {
    const id = await jobs.add(flaky, {}, { maxAttempts: 3 });
    assert.equal((await tries.next())[1].attempt, 1);
    const [, { attempt, jobId }] = await tries.next();
    assert.deepEqual([attempt, jobId], [2, id]);
  } finally {
    await worker.stop();
  }
});

test('runs a task again without a failed attempt when its member was deleted during it', async () => {
  const { service } = db.database;
  const jobs = createJobs(db.database);
  const runs: number[] = [];
  const task = async (_payload: object, { attempt }: TaskHelpers): Promise<void> => {
    runs.push(attempt);
    if (runs.length === 1) await service.query(`insert into public.demo_resets (idp_id) values ('user_deleted')`);
  };
  const worker = await jobs.startWorker({ [GREET_TASK]: task });
  try {
    await jobs.add(GREET_TASK, { name: 'Ada' });
    await eventually(async () => runs.length === 2);
  } finally {
    await worker.stop();
  }
  assert.deepEqual(runs, [1, 1]);
  assert.deepEqual(await db.owner(`select from graphile_worker.jobs where task_identifier = 'greet'`), []);
});

test('waits for the running job when it stops', async () => {
  const jobs = createJobs(db.database);
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let finished = false;
  const slow = 'slow' as TaskName<object>;
  const worker = await jobs.startWorker({
    [slow]: async () => {
      started.resolve();
      await released.promise;
      finished = true;
    },
  });
  await jobs.add(slow, {});
  await started.promise;
  const stopped = worker.stop();
  released.resolve();
  await stopped;
  assert.equal(finished, true);
  assert.deepEqual(await db.owner(`select id from graphile_worker.jobs where task_identifier = 'slow'`), []);
});

test('releases the jobs of a killed worker and keeps those of a running one', async () => {
  const jobs = createJobs(db.database);
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const blockedTask = 'held' as TaskName<object>;
  const worker = await jobs.startWorker({
    [blockedTask]: async () => {
      started.resolve();
      await released.promise;
    },
  });
  try {
    await jobs.add(blockedTask, {});
    await started.promise;
    // The lock is acquired next to the first job, and may still be missing when the job starts.
    await eventually(async () => (await countLivenessLocks()).length > 0);
    await jobs.add(UNKNOWN_TASK, { name: 'orphan' }, { key: 'orphan' });
    await db.owner(`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute',
      locked_by = case when key = 'orphan' then 'pool-dead' else locked_by end
        where key = 'orphan' or locked_by is not null`);
    assert.deepEqual(await releaseJobsOfDeadWorkers(db.database.service), ['pool-dead']);
    assert.deepEqual(
      await db.owner(`select task_identifier as task from graphile_worker.jobs where locked_by is not null`),
      [{ task: 'held' }],
    );
  } finally {
    released.resolve();
    await worker.stop();
  }
});

test('continues after the server has closed all connections at any moment', async () => {
  const jobs = createJobs(db.database);
  for (let round = 0; round < 5; round += 1) {
    const greeted = inbox<{ name: string }>();
    const worker = await jobs.startWorker({ [GREET_TASK]: greeted.task }, { pollIntervalMs: 100 });
    try {
      await jobs.add(GREET_TASK, { name: 'before' });
      await greeted.next(); // its completion is recorded while the connections close
      await db.owner(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'tally worker' and datname = current_database()`,
      );
      await jobs.add(GREET_TASK, { name: 'after' });
      let name = '';
      while (name !== 'after') [{ name }] = await greeted.next();
    } finally {
      await worker.stop();
    }
    assert.deepEqual(await db.owner(`select id from graphile_worker.jobs where task_identifier = 'greet'`), []);
  }
});

test('ends quietly when a connection is asked for after the pool was closed', async () => {
  const pool = new CompletionRetryPool(db.urls.service, 1, () => {});
  await pool.close();
  const error = await new Promise((resolve) => {
    pool.connect((failure, _client, release) => {
      release();
      resolve(failure);
    });
  });
  assert.match(String(error), /after calling end/);
});

test('keeps a connection usable when the library releases it twice', async () => {
  const pool = new CompletionRetryPool(db.urls.service, 1, () => {});
  const { promise, resolve } = Promise.withResolvers<() => void>();
  pool.connect((_error, _client, release) => resolve(release));
  const release = await promise;
  release();
  release();
  assert.deepEqual((await pool.query('select 1 as one')).rows, [{ one: 1 }]);
  await pool.close();
});

test('records a completion when its row is locked longer than the login waits', async () => {
  const shortTimeout = new URL(db.urls.service.replace('@/', '@x/'));
  shortTimeout.searchParams.set('options', '-c lock_timeout=20');
  const jobs = createJobs({ ...db.database, urls: { ...db.urls, service: shortTimeout.href.replace('@x/', '@/') } });
  const lockHolder = new pg.Client({ connectionString: db.ownerUrl });
  await lockHolder.connect();
  const messages: string[] = [];
  const task = async (_: unknown, { jobId }: TaskHelpers) => {
    await lockHolder.query('begin');
    await lockHolder.query('select from graphile_worker._private_jobs where id = $1 for update', [jobId]);
  };
  const worker = await jobs.startWorker({ [GREET_TASK]: task }, { log: (_, message) => messages.push(message) });
  try {
    await jobs.add(GREET_TASK, { name: 'Ada' });
    await eventually(() => messages.some((message) => message.includes('lock timeout')));
    await lockHolder.query('commit');
    await eventually(
      async () => (await db.owner(`select id from graphile_worker.jobs where task_identifier = 'greet'`)).length === 0,
    );
  } finally {
    await lockHolder.end();
    await worker.stop();
  }
});

for (const outcome of ['success', 'failure'])
  test(`records the ${outcome} of a job when its connection is cut during the job`, async () => {
    const jobs = createJobs(db.database);
    const lockHolder = new pg.Client({ connectionString: db.ownerUrl });
    await lockHolder.connect();
    const name = `cut-${outcome}` as TaskName<object>;
    const task = async (_: unknown, { jobId }: TaskHelpers) => {
      await lockHolder.query('begin');
      await lockHolder.query('select from graphile_worker._private_jobs where id = $1 for update', [jobId]);
      if (outcome === 'failure') throw new Error('not today');
    };
    const worker = await jobs.startWorker({ [name]: task });
    try {
      await jobs.add(name, {}, { maxAttempts: 1 });
      const killQuery = `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'tally worker' and datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => (await db.owner(killQuery)).length > 0);
      await lockHolder.query('commit');
      const countJobs = () =>
        db.owner(
          `select last_error as error, locked_by as locked from graphile_worker._private_jobs where task_id =
            (select id from graphile_worker._private_tasks where identifier = $1)`,
          [name],
        );
      await eventuallyEquals(countJobs, outcome === 'failure' ? [{ error: 'not today', locked: null }] : []);
    } finally {
      await lockHolder.end();
      await worker.stop();
    }
  });

test('logs the error and continues when a completion cannot be recorded', async (t) => {
  const ownDatabase = await createTestDatabase(t);
  const jobs = createJobs(ownDatabase.database);
  const logLines: string[] = [];
  const removeQueue = async () => {
    await ownDatabase.owner('alter schema graphile_worker rename to removed');
  };
  const worker = await jobs.startWorker(
    { [GREET_TASK]: removeQueue },
    { log: (_level, message) => logLines.push(message) },
  );
  try {
    await jobs.add(GREET_TASK, { name: 'Ada' });
    await eventually(() => logLines.some((message) => /graphile_worker.* does not exist/.test(message)));
  } finally {
    await worker.stop();
  }
  assert.equal((await ownDatabase.owner('select id from removed.jobs where locked_at is not null')).length, 1);
});

test('renews the liveness lock when its connection was cut', async () => {
  const jobs = createJobs(db.database);
  const worker = await jobs.startWorker({});
  const waitForLock = async (oldPid?: number): Promise<number> => {
    let [lock] = await countLivenessLocks();
    while (!lock || lock.pid === oldPid) [lock] = await countLivenessLocks();
    return lock.pid;
  };
  try {
    const pid = await waitForLock();
    await db.owner('select pg_terminate_backend($1)', [pid]);
    assert.notEqual(await waitForLock(pid), pid);
  } finally {
    await worker.stop();
  }
  assert.deepEqual(await countLivenessLocks(), []);
});

test('registers a schedule with the service’s rights and rejects an invalid one', async () => {
  const jobs = createJobs(db.database);
  const tasks = { nightly: async () => {} };
  const worker = await jobs.startWorker(tasks, { schedule: [{ task: 'nightly', match: '0 22 * * 1-5' }] });
  try {
    let known: object[] = [];
    while (known.length === 0) known = await db.owner('select identifier from graphile_worker._private_known_crontabs');
    assert.deepEqual(known, [{ identifier: 'nightly' }]);
  } finally {
    await worker.stop();
  }
  await assert.rejects(
    jobs.startWorker(tasks, { schedule: [{ task: 'nightly', match: 'every night' }] }),
    /every night/,
  );
});

test('adds scheduled jobs to the queue of their schedule', async () => {
  const jobs = createJobs(db.database);
  const queue = Promise.withResolvers<object[]>();
  const tasks = {
    hourly: (_: object, { jobId }: { jobId: string }) =>
      db
        .owner(
          `select q.queue_name from graphile_worker._private_jobs j
           left join graphile_worker._private_job_queues q on q.id = j.job_queue_id where j.id = $1`,
          [jobId],
        )
        .then(queue.resolve, queue.reject),
  };
  const yesterday = new Date(Date.now() - 86_400_000);
  await db.owner(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('hourly', $1, $1)`,
    [yesterday],
  );
  const worker = await jobs.startWorker(tasks, {
    schedule: [{ task: 'hourly', match: '0 * * * *', queue: 'one-by-one', backfillMinutes: 90 }],
  });
  try {
    assert.deepEqual(await queue.promise, [{ queue_name: 'one-by-one' }]);
  } finally {
    await worker.stop();
  }
});

test('is not ready when its schema is missing', async (t) => {
  const emptyDatabase = await createTestDatabase(t, { template: 'template0' });
  assert.equal(await createJobs(emptyDatabase.database).isQueueReady(), false);
});

test('adds another job when a worker starts the job of the key concurrently', async () => {
  const jobs = () => db.owner<{ id: string }>(`select id from graphile_worker._private_jobs where key = 'begun'`);
  const first = await addJobInTransaction(db.database.service, UNKNOWN_TASK, { name: 'first' }, { key: 'begun' });
  const worker = new pg.Client(db.ownerUrl);
  await worker.connect();
  try {
    await worker.query('begin');
    await worker.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker'
      where key = 'begun'`);
    const second = addJobInTransaction(db.database.service, UNKNOWN_TASK, { name: 'second' }, { key: 'begun' });
    const waiting = `select from pg_stat_activity where datname = current_database()
      and cardinality(pg_blocking_pids(pid)) > 0`;
    await eventually(async () => (await db.owner(waiting)).length > 0);
    await worker.query('commit');
    const id = await second;
    assert.notEqual(id, first);
    assert.deepEqual(await jobs(), [{ id }]);
  } finally {
    await worker.end();
    await db.owner(`delete from graphile_worker._private_jobs where payload->>'name' in ('first', 'second')`);
  }
});
