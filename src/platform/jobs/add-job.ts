import type { ServiceSql } from '../database/roles.ts';
import { insertJob } from './queries.ts';
import type { AddOptions, TaskName } from './task.ts';

/** Adds a job; inside a transaction it exists only when that commits. Returns the job's id. */
export async function addJobInTransaction<Payload extends object>(
  sql: ServiceSql,
  task: TaskName<Payload>,
  payload: NoInfer<Payload>,
  options: AddOptions = {},
): Promise<string> {
  const job = { ...options, task, payload };
  // None where a worker began the waiting job of the key in that moment; asked again, the queue adds another one.
  const id = (await insertJob(sql, job)) ?? (await insertJob(sql, job));
  if (!id) throw new Error(`The job ${task} was not added.`);
  return id;
}
