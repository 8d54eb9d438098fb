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

/** New names of tasks that 0.2.0 renamed. Pending jobs of a 0.1.0 backup have the old names. */
const RENAMED_TASKS: Readonly<Record<string, string>> = {
  'billing-end': 'billing-cancel-customer',
  'demo-access-end-session': 'demo-access-revoke-session',
  'end-aggregator-access': 'revoke-aggregator-access',
  'fill-first-run': 'seed-first-run',
  'fill-held-earnings': 'refresh-held-earnings',
  'market-roll-closes': 'market-write-closes',
  'market-tidy': 'market-cleanup',
  'sweep-connections': 'sync-overdue-connections',
  'take-net-worth-snapshots': 'record-net-worth-snapshots',
  'thin-net-worth-snapshots': 'downsample-net-worth-snapshots',
  'tidy-analytics': 'cleanup-analytics',
  'tidy-assistant': 'cleanup-assistant',
  'tidy-embedded-bank': 'cleanup-embedded-bank',
  'tidy-embedded-brokerage': 'cleanup-embedded-brokerage',
  'tidy-embedded-identity': 'cleanup-embedded-identity',
  'tidy-identity': 'cleanup-identity',
  'tidy-sandbox-payments': 'cleanup-embedded-payments',
};

/** Returns pending and running jobs in their order. A running job is repeated, as after a crash. */
export const exportJobs = (sql: Pick<Handle, 'query'>): Promise<ExportedJob[]> => selectPendingJobs(sql);

/** Adds jobs from `exportJobs` to an empty queue with their remaining attempts. */
export async function importJobs(sql: Pick<Handle, 'query'>, jobs: readonly ExportedJob[]): Promise<void> {
  for (const { task, queue, key, run_at, max_attempts, ...job } of jobs)
    await insertJob(sql, {
      ...job,
      task: RENAMED_TASKS[task] ?? task,
      queue: queue ?? undefined,
      runAt: new Date(run_at),
      maxAttempts: max_attempts,
      key: key ?? undefined,
    });
}
