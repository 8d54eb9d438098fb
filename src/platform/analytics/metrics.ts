import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { ServiceSql } from '../database/roles.ts';
import { addGauges } from '../http/gauges.ts';
import { readPendingStats } from './queries.ts';

const GAUGES = {
  waiting: {
    name: 'tally_analytics_events_waiting',
    help: 'Captured events that were not forwarded to the analytics service yet, up to a million.',
  },
  oldest: {
    name: 'tally_analytics_oldest_waiting_seconds',
    help: 'Age of the oldest waiting event in seconds, or 0.',
  },
} as const;

/** Registers the metrics of the event outbox. Returns the function that counts events deleted before they were sent. */
export function addAnalyticsMetrics(registry: Registry, sql: ServiceSql, logger: Logger): (removed: number) => void {
  addGauges(
    registry,
    GAUGES,
    () => readPendingStats(sql),
    (err) => logger.error({ err }, 'failed to count the waiting analytics events'),
  );
  const droppedCounter = new Counter({
    name: 'tally_analytics_events_dropped_total',
    help: 'Events that were deleted by age before they were forwarded.',
    registers: [registry],
  });
  return (removed) => droppedCounter.inc(removed);
}
