import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { ServiceSql } from '../database/roles.ts';
import { addGauges } from '../http/gauges.ts';
import { readQueueStats } from './queries.ts';
import type { JobObserver } from './worker.ts';

const GAUGES = {
  overdue: { name: 'tally_jobs_overdue', help: 'Jobs that are due and not started.' },
  oldest: {
    name: 'tally_jobs_oldest_overdue_seconds',
    help: 'Seconds that the oldest overdue job has waited, or 0. Grows while no worker runs.',
  },
  failed: {
    name: 'tally_jobs_failed',
    help: 'Jobs that failed permanently and stay for an operator.',
  },
} as const;

/** Registers the duration of jobs and returns the function that records a run. */
export function addJobDurations(registry: Registry): JobObserver {
  const durations = new Histogram({
    name: 'tally_job_duration_seconds',
    help: 'Duration of the runs of jobs in this process, by outcome.',
    labelNames: ['task', 'outcome'] as const,
    buckets: [0.1, 1, 10, 60, 600],
    registers: [registry],
  });
  return (task, succeeded, seconds) => durations.observe({ task, outcome: succeeded ? 'done' : 'failed' }, seconds);
}

/**
 * Registers the metrics of the queue, which are read from the database at each scrape. Values that cannot be read are
 * omitted.
 */
export const addJobMetrics = (registry: Registry, sql: ServiceSql, logger: Logger): void =>
  addGauges(
    registry,
    GAUGES,
    () => readQueueStats(sql),
    (err) => logger.error({ err }, 'failed to count the waiting jobs'),
  );
