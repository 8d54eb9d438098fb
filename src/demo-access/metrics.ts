import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ServiceSql } from '../database/roles.ts';
import { addGauges } from '../http/gauges.ts';
import { pendingFigures } from './revocation-queries.ts';

const FIGURES = {
  pending: {
    name: 'tally_demo_access_pending_revocations',
    help: 'Sign-in links whose revocation the identity provider has not confirmed.',
  },
  oldest: {
    name: 'tally_demo_access_oldest_pending_revocation_seconds',
    help: 'Age of the oldest such revocation; 0 where there is none.',
  },
} as const;

/** Shows what is pending, read from the database on each scrape; figures that cannot be read are left out. */
export const addDemoAccessMetrics = (registry: Registry, sql: ServiceSql, logger: Logger): void =>
  addGauges(
    registry,
    FIGURES,
    () => pendingFigures(sql),
    (err) => logger.error({ err }, 'pending revocations could not be counted'),
  );
