import { Gauge, type Registry } from 'prom-client';
import type { Database } from './connect.ts';

/**
 * Adds to metrics how many connections of each pool are lent and idle, and how many statements wait for one. It must be
 * the first to be added: the figures of others are read through these pools.
 */
export function withPoolMetrics<M extends { registry: Registry }>(metrics: M, database: Pick<Database, 'pools'>): M {
  new Gauge({
    name: 'tally_database_connections',
    help: 'Connections to the database by pool and state; "waiting" are statements for which there is none.',
    labelNames: ['pool', 'state'] as const,
    registers: [metrics.registry],
    collect() {
      for (const { name, busy, idle, waiting } of database.pools()) {
        this.labels(name, 'busy').set(busy);
        this.labels(name, 'idle').set(idle);
        this.labels(name, 'waiting').set(waiting);
      }
    },
  });
  return metrics;
}
