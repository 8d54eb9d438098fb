import type { OwnerConnection } from '../database/migrate.ts';
import type { Handle, ServiceSql } from '../database/roles.ts';
import type { AddOptions, TaskName } from './task.ts';

/** Adds a job with the queue's defaults for missing values. Returns its id. */
export async function insertJob(
  sql: Pick<Handle, 'query'>,
  { task, payload, queue, runAt, maxAttempts, key, priority }: AddOptions & { task: string; payload: object },
): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>(
    `select id from graphile_worker.add_job(
       identifier => $1, payload => $2, queue_name => $3, run_at => $4,
       max_attempts => $5, job_key => $6, priority => $7)`,
    [task, JSON.stringify(payload), queue, runAt?.toISOString(), maxAttempts, key, priority],
  );
  return row?.id;
}

/** Returns the number of overdue jobs, the age of the oldest in seconds, and the number of failed jobs. */
export async function readQueueStats(sql: ServiceSql): Promise<{ overdue: number; oldest: number; failed: number }> {
  const [row] = await sql.query<{ overdue: number; oldest: number; failed: number }>(
    `select count(*) filter (where is_due)::int as overdue,
            coalesce(extract(epoch from now() - min(run_at) filter (where is_due)), 0)::float8 as oldest,
            count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed
       from (select *, locked_at is null and attempts < max_attempts and run_at <= now() as is_due
               from graphile_worker._private_jobs) j`,
  );
  return row!;
}

/** Returns jobs that have not failed permanently, with their remaining attempts. */
export async function selectPendingJobs<Row extends object>(sql: Pick<Handle, 'query'>): Promise<Row[]> {
  return sql.query<Row>(
    `select t.identifier as task, j.payload, q.queue_name as queue, to_json(j.run_at)#>>'{}' as run_at,
            greatest(j.max_attempts - j.attempts, 1) as max_attempts, j.key, j.priority
       from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
       left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
      where j.attempts < j.max_attempts or j.locked_at is not null
      order by j.id`,
  );
}

/** One job of several, with the default number of attempts if none is given. */
export interface JobRequest {
  task: string;
  payload: object;
  key: string;
  maxAttempts?: number;
}

/** Adds several jobs in one statement. Keys must be distinct and are locked in the given order. */
export async function insertJobs(sql: ServiceSql, jobs: readonly JobRequest[]): Promise<void> {
  await sql.query(
    `select id from graphile_worker.add_jobs(array(
       select row(
           e.job->>'task', e.job->'payload', null, null, (e.job->>'max')::int, e.job->>'key', null, null
         )::graphile_worker.job_spec
         from json_array_elements($1::json) with ordinality as e (job, position) order by e.position))`,
    [JSON.stringify(jobs.map(({ task, payload, maxAttempts: max, key }) => ({ task, payload, max, key })))],
  );
}

/** Returns whether the queue's schema exists and is accessible. */
export async function queueExists(sql: ServiceSql): Promise<boolean> {
  const [row] = await sql.query<{ ready: boolean }>(`select has_schema_privilege('graphile_worker', 'usage') as ready`);
  return row?.ready === true;
}

/** A number that nothing else in the database locks: "tallw" in ASCII. Each worker shares this lock. */
const WORKER_LOCK_KEY = 0x74616c6c77;

/**
 * Statement that acquires the liveness lock of a worker on its own connection, and the lock that all workers share.
 */
export const LIVENESS_LOCK_QUERY = `select pg_advisory_lock(hashtextextended($1, 0)), pg_advisory_lock_shared(${WORKER_LOCK_KEY})`;

/** Returns the number of workers that are connected to this database. */
export async function countWorkers(sql: Pick<Handle, 'query'>): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count
       from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
      where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
        and (l.classid::bigint << 32 | l.objid::bigint) = $1`,
    [WORKER_LOCK_KEY],
  );
  return row!.count;
}

/** A job that failed permanently, or that is due and has not started. */
export interface StuckJob {
  id: string;
  task: string;
  state: 'failed' | 'overdue';
  attempts: number;
  max_attempts: number;
  run_at: Date;
  last_error: string | null;
}

/** Seconds after which a due job counts as overdue. A worker takes due jobs every two seconds. */
const OVERDUE_SECONDS = 60;

/** Returns failed jobs, then overdue jobs, each oldest first. */
export const selectStuckJobs = (sql: Pick<Handle, 'query'>, limit: number) =>
  sql.query<StuckJob>(
    `select j.id::text as id, t.identifier as task, j.attempts::int as attempts, j.max_attempts::int as max_attempts,
            j.run_at, j.last_error,
            case when j.attempts >= j.max_attempts then 'failed' else 'overdue' end as state
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.locked_at is null
        and (j.attempts >= j.max_attempts or j.run_at < now() - make_interval(secs => ${OVERDUE_SECONDS}))
      order by j.attempts >= j.max_attempts desc, j.run_at, j.id limit $1`,
    [limit],
  );

/** Makes waiting and failed jobs due now with all their attempts. Returns the ids of these jobs; others are running. */
export async function rescheduleJobs(sql: Pick<Handle, 'query'>, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    'select id::text as id from graphile_worker.reschedule_jobs($1::bigint[], run_at := now(), attempts := 0)',
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Returns the workers that hold jobs. Recent locks are ignored, because their worker may still be starting. */
export async function workersWithJobs(sql: ServiceSql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select distinct locked_by as name from graphile_worker._private_jobs
      where locked_by is not null and locked_at < now() - interval '5 seconds'`,
  );
  return rows.map((row) => row.name);
}

/**
 * Returns whether no process holds the worker's liveness lock. Must run in a transaction, which then holds the lock until
 * its end.
 */
export async function isWorkerDead(sql: ServiceSql, worker: string): Promise<boolean> {
  const [row] = await sql.query<{ is_dead: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as is_dead',
    [worker],
  );
  return row?.is_dead === true;
}

export async function unlockJobs(sql: ServiceSql, workers: readonly string[]): Promise<void> {
  await sql.query('select graphile_worker.force_unlock_workers($1::text[])', [workers]);
}

/**
 * Deletes the jobs whose payload names the member. A job that is running is kept, and ends when it finds no member. Jobs
 * that must run after the deletion, such as the cancellation of subscriptions, name no member.
 */
export async function deleteJobsOfMember(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(
    `select from graphile_worker.complete_jobs(array(
       select id from graphile_worker._private_jobs where strpos(payload::text, to_json($1::text)::text) > 0))`,
    [idpId],
  );
}

/** Deletes the jobs of a task with exactly this payload. A job that is running is kept. */
export async function deleteWaitingJobs<Payload extends object>(
  sql: ServiceSql,
  task: TaskName<Payload>,
  payload: NoInfer<Payload>,
): Promise<void> {
  await sql.query(
    `select from graphile_worker.complete_jobs(array(
       select j.id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = $1 and j.payload::jsonb = $2::jsonb))`,
    [task, JSON.stringify(payload)],
  );
}

/** Returns the version that last migrated the schema. */
export async function readSchemaVersion(owner: OwnerConnection): Promise<string | null> {
  const [schema] = await owner.query<{ version: string | null }>(
    `select obj_description(oid, 'pg_namespace') as version from pg_namespace where nspname = 'graphile_worker'`,
  );
  return schema?.version ?? null;
}

/**
 * Grants access to the queue only to the service role, then stores the version (our own constant, so it needs no
 * quoting).
 */
export async function grantToServiceRole(owner: OwnerConnection, schemaVersion: string): Promise<void> {
  await owner.query(`
    grant usage on schema graphile_worker to service_role;
    grant select, insert, update, delete on all tables in schema graphile_worker to service_role;
    grant usage, select on all sequences in schema graphile_worker to service_role;
    revoke execute on all functions in schema graphile_worker from public;
    grant execute on all functions in schema graphile_worker to service_role;
    comment on schema graphile_worker is '${schemaVersion}'`);
}
