import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { ServiceSql } from '../database/roles.ts';
import { addGauges } from '../http/gauges.ts';
import { readPendingStats } from './queries.ts';

const GAUGES = {
  waiting: {
    name: 'tally_analytics_events_waiting',
    help: 'Captured events that the analytics service has not taken yet, up to a million.',
  },
  oldest: {
    name: 'tally_analytics_oldest_waiting_seconds',
    help: 'Age of the oldest such event; 0 where there is none.',
  },
} as const;

/** Registers the metrics of the event outbox. Returns the function that counts events deleted before they were sent. */
export function addAnalyticsMetrics(registry: Registry, sql: ServiceSql, logger: Logger): (removed: number) => void {
  addGauges(
    registry,
    GAUGES,
    () => readPendingStats(sql),
    (err) => logger.error({ err }, 'the waiting analytics events could not be counted'),
  );
  const droppedCounter = new Counter({
    name: 'tally_analytics_events_dropped_total',
    help: 'Events that were removed for their age before the analytics service took them.',
    registers: [registry],
  });
  return (removed) => droppedCounter.inc(removed);
}
