import type { ServiceSql } from '../database/roles.ts';
import { insertJob } from './queries.ts';
import type { TaskName } from './task.ts';

export interface AddOptions {
  /** Not before this moment. */
  runAt?: Date;
  /** Jobs of one queue run one after another. */
  queue?: string;
  /** A second job with the same key replaces the waiting first one instead of joining it. */
  key?: string;
  /** Tries in all (default 25, over about three days). */
  maxAttempts?: number;
  /** Smaller runs earlier (default 0). */
  priority?: number;
}

/** Adds a job; inside a transaction it exists only when that commits. Returns the job's id. */
export async function addJobIn<Payload extends object>(
  sql: ServiceSql,
  task: TaskName<Payload>,
  payload: NoInfer<Payload>,
  options: AddOptions = {},
): Promise<string> {
  const { runAt, queue, key, maxAttempts, priority } = options;
  const job = { task, payload, queue, runAt, maxAttempts, key, priority };
  // None where a worker began the waiting job of the key in that moment; asked again, the queue adds another one.
  const id = (await insertJob(sql, job)) ?? (await insertJob(sql, job));
  if (!id) throw new Error(`The job ${task} was not added.`);
  return id;
}
