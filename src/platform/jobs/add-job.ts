import type { ServiceSql } from '../database/roles.ts';
import { insertJob } from './queries.ts';
import type { AddOptions, TaskName } from './task.ts';

/** Adds a job and returns its id. In a transaction the job exists only after the commit. */
export async function addJobInTransaction<Payload extends object>(
  sql: ServiceSql,
  task: TaskName<Payload>,
  payload: NoInfer<Payload>,
  options: AddOptions = {},
): Promise<string> {
  const job = { ...options, task, payload };
  // There is no row if a worker starts the waiting job of the key concurrently. A second call adds a new job.
  const id = (await insertJob(sql, job)) ?? (await insertJob(sql, job));
  if (!id) throw new Error(`The job ${task} was not added.`);
  return id;
}
