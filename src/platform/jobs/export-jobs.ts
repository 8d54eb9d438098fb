import { z } from 'zod';
import type { Handle } from '../database/roles.ts';
import { insertJob, selectPendingJobs } from './queries.ts';

/** A pending job in a backup. The format is independent of the queue's tables, which change with the library. */
export const exportedJob = z.object({
  task: z.string(),
  payload: z.looseObject({}),
  queue: z.string().nullable(),
  run_at: z.iso.datetime({ offset: true }),
  max_attempts: z.int().min(1),
  key: z.string().nullable(),
  priority: z.int(),
});

type ExportedJob = z.infer<typeof exportedJob>;

/** Returns pending and running jobs in their order. A running job is repeated, as after a crash. */
export const exportJobs = (sql: Pick<Handle, 'query'>): Promise<ExportedJob[]> => selectPendingJobs(sql);

/** Adds jobs from `exportJobs` to an empty queue with their remaining attempts. */
export async function importJobs(sql: Pick<Handle, 'query'>, jobs: readonly ExportedJob[]): Promise<void> {
  for (const { queue, key, run_at, max_attempts, ...job } of jobs)
    await insertJob(sql, {
      ...job,
      queue: queue ?? undefined,
      runAt: new Date(run_at),
      maxAttempts: max_attempts,
      key: key ?? undefined,
    });
}
