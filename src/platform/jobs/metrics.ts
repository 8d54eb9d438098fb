import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ServiceSql } from '../database/roles.ts';
import { addGauges } from '../http/gauges.ts';
import { readQueueStats } from './queries.ts';

const GAUGES = {
  overdue: { name: 'tally_jobs_overdue', help: 'Jobs whose time has come and that nobody does yet.' },
  oldest: {
    name: 'tally_jobs_oldest_overdue_seconds',
    help: 'How long the first of them has waited; 0 where there is none. It grows while no worker runs.',
  },
  failed: {
    name: 'tally_jobs_failed',
    help: 'Jobs that were tried for the last time in vain, and stay to be looked at.',
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
    (err) => logger.error({ err }, 'the waiting jobs could not be counted'),
  );
