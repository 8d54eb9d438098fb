import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { ServiceSql } from '../database/roles.ts';
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
export function addDemoAccessMetrics(registry: Registry, sql: ServiceSql, logger: Logger): void {
  for (const figure of ['pending', 'oldest'] as const) {
    new Gauge({
      ...FIGURES[figure],
      registers: [registry],
      async collect() {
        try {
          this.set((await pendingFigures(sql))[figure]);
        } catch (err) {
          this.remove();
          logger.error({ err }, 'pending revocations could not be counted');
        }
      },
    });
  }
}
