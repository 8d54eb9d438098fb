import { Gauge, type Registry } from 'prom-client';
import type { ServiceSql } from './roles.ts';

/** Returns how many seconds this process's clock is ahead of the database's, within half the time of a query. */
export async function readClockOffset(sql: Pick<ServiceSql, 'query'>): Promise<number> {
  const sentAt = Date.now();
  const [row] = await sql.query<{ seconds: number }>('select extract(epoch from clock_timestamp())::float8 as seconds');
  const receivedAt = Date.now();
  return (sentAt + receivedAt) / 2_000 - row!.seconds;
}

/** Adds the clock's offset as a metric, read at each scrape. It is omitted while the database is unavailable. */
export function addClockMetric(registry: Registry, sql: Pick<ServiceSql, 'query'>): void {
  new Gauge({
    name: 'tally_clock_offset_seconds',
    help: "Seconds that this process's clock is ahead of the database's. Beyond 30, sessions are rejected at random.",
    aggregator: 'max',
    registers: [registry],
    async collect() {
      this.remove();
      this.set(await readClockOffset(sql));
    },
  });
}
