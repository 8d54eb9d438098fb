import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ServiceSql } from '../database/roles.ts';
import { addGauges } from '../http/gauges.ts';
import { readQueueStats } from './queries.ts';

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
