import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { addGauges } from '../../platform/http/gauges.ts';
import { countConnections } from './queries.ts';
import type { OnUnknownConnection } from './webhook-routes.ts';

const GAUGES = {
  total: { name: 'tally_connections', help: 'Connections to banks and brokerages.' },
  stale: {
    name: 'tally_connections_stale',
    help: 'Connections whose accounts and holdings were last read completely more than two days ago.',
  },
  needs_sign_in: {
    name: 'tally_connections_needing_sign_in',
    help: 'Connections that deliver nothing until their member signs in again.',
  },
  revocations: {
    name: 'tally_connection_removals_pending',
    help: 'Access to accounts that was removed here and that the aggregator has not ended yet.',
  },
} as const;

/**
 * Adds gauges of the freshness of connections, read at each scrape. Returns the counter of webhooks for unknown
 * connections.
 */
export function addConnectionMetrics(registry: Registry, sql: ServiceSql, logger: Logger): OnUnknownConnection {
  const onFailure = (err: unknown): void => logger.error({ err }, 'connections could not be counted');
  addGauges(registry, GAUGES, () => countConnections(sql), onFailure);
  const unknownConnections = new Counter({
    name: 'tally_connection_webhooks_unknown_total',
    help: 'Webhooks about a connection that is not stored: many of them mean that access was lost.',
    labelNames: ['provider'] as const,
    registers: [registry],
  });
  return (provider) => unknownConnections.inc({ provider });
}
