import { Counter, Gauge, type Registry } from 'prom-client';
import { addClockMetric } from './clock.ts';
import type { Database } from './connect.ts';
import { readLastBackup } from './last-backup.ts';
import { listPendingMigrations } from './migrate.ts';
import type { Replica } from './replica.ts';

/**
 * Adds metrics of each pool: busy and idle connections, and waiting statements. It must be added first, since other
 * metrics are read through these pools.
 */
export function withPoolMetrics<M extends { registry: Registry }>(
  metrics: M,
  database: Pick<Database, 'pools' | 'replica' | 'service' | 'listWorkers' | 'hasDiskSpace'>,
): M {
  if (database.replica) addReplicaMetrics(metrics.registry, database.replica);
  new Gauge({
    name: 'tally_database_connections',
    help: 'Database connections by pool and state. "waiting" counts statements without a connection.',
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
  new Gauge({
    name: 'tally_database_node_up',
    help: '1 if a worker of the Citus cluster responds to the coordinator, else 0. Absent on one server.',
    labelNames: ['node'] as const,
    aggregator: 'min',
    registers: [metrics.registry],
    async collect() {
      this.reset();
      for (const { name, isUp } of await database.listWorkers()) this.labels(name).set(isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: 'tally_database_disk_full',
    help: '1 if a statement failed within a minute because the disk of the database is full, else 0.',
    aggregator: 'max',
    registers: [metrics.registry],
    collect() {
      this.set(database.hasDiskSpace() ? 0 : 1);
    },
  });
  new Gauge({
    name: 'tally_migrations_pending',
    help: 'Migrations of this version that the database lacks. The process is not ready until they are applied.',
    aggregator: 'max',
    registers: [metrics.registry],
    async collect() {
      this.remove();
      this.set((await listPendingMigrations(database.service)).length);
    },
  });
  addClockMetric(metrics.registry, database.service);
  new Gauge({
    name: 'tally_backup_last_success_timestamp_seconds',
    help: 'Time of the last complete "tally backup" in seconds since 1970. Absent if there was none.',
    aggregator: 'max',
    registers: [metrics.registry],
    async collect() {
      this.remove();
      const last = await readLastBackup(database.service);
      if (last) this.set(last.succeeded_at.getTime() / 1_000);
    },
  });
  return metrics;
}

function addReplicaMetrics(registry: Registry, replica: Replica): void {
  new Gauge({
    name: 'tally_database_replica_lag_seconds',
    help: 'Lag of the replica at the last probe plus the time since. Probes run only while it is read.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.remove();
      if (Number.isFinite(replica.getLagMs())) this.set(replica.getLagMs() / 1000);
    },
  });
  new Counter({
    name: 'tally_database_replica_reads_total',
    help: 'Reads that a replica may serve, by the server that responded.',
    labelNames: ['from'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const from of ['replica', 'primary'] as const) this.inc({ from }, replica.reads[from]);
    },
  });
}
