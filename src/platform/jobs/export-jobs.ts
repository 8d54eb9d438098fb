import { z } from 'zod';
import type { Handle } from '../database/roles.ts';
import { insertJob, selectPendingJobs } from './queries.ts';

/** A waiting job as a backup keeps it, apart from the queue's own tables, which change with its library. */
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

/** Jobs that wait or run, in their order; a job that runs is done again, as after a crash. */
export const exportJobs = (sql: Pick<Handle, 'query'>): Promise<ExportedJob[]> => selectPendingJobs(sql);

/** Adds what `readJobs` returned to an empty queue, with the tries that were left. */
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
