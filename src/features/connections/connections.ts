import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { RequestMetrics } from '../../platform/http/metrics.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { memberAccess } from '../../platform/identity/member-access.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Slice } from '../../slice.ts';
import { type AggregatorSettings, openAggregators } from './aggregators.ts';
import type { ConnectedPortfolios, ConnectionContext, OnConnected } from './context.ts';
import { memberRows } from './export-queries.ts';
import { connectionSchedules, connectionTasks } from './jobs.ts';
import { addConnectionMetrics } from './metrics.ts';
import { listForOperator, type OperatorRow } from './queries.ts';
import { removeAllOf } from './remove-connection.ts';
import { rotateKeys, type Rotation } from './rotate-keys.ts';
import { addConnectionRoutes } from './routes.ts';
import { addWebhookRoute } from './webhook-routes.ts';

interface ConnectionDependencies {
  database: Pick<Database, 'service' | 'asMember'>;
  logger: Logger;
  jobs: Pick<Jobs, 'addAll'>;
  metrics: Pick<RequestMetrics, 'registry'>;
  guards: Guards;
  baseUrl: string;
  portfolios: ConnectedPortfolios;
  onConnected: OnConnected;
  settings: AggregatorSettings;
  /** For tests: see `addConnectionRoutes`. */
  finishWithin?: number;
}

export interface Connections extends Slice {
  register(app: HttpApp): Promise<void>;
  /** For the command line. */
  readonly operator: { list(): Promise<OperatorRow[]>; rotateKeys(): Promise<Rotation> };
}

/** Accounts and holdings that a bank or a brokerage aggregator reads for a member. */
export function createConnections(deps: ConnectionDependencies): Connections {
  const { database, logger, jobs, metrics, guards, baseUrl, portfolios, onConnected, settings } = deps;
  const sql = database.service;
  const { ring, aggregators } = openAggregators(settings, { sql, logger });
  const ctx: ConnectionContext = { sql, logger, ring, aggregators, portfolios, onConnected };
  const going = new Set<Promise<unknown>>();
  const onGoing = (work: Promise<unknown>): void => {
    const ended = work
      .catch((err: unknown) => logger.error({ err }, 'an attempt to connect could not be finished'))
      .finally(() => going.delete(ended));
    going.add(ended);
  };
  return {
    name: 'connections',
    memberRows,
    async register(app) {
      const onUnknown = addConnectionMetrics(metrics.registry, sql, logger);
      await addConnectionRoutes(app, {
        ...memberAccess(database, guards),
        ctx,
        baseUrl,
        onGoing,
        finishWithin: deps.finishWithin,
      });
      for (const aggregator of aggregators) addWebhookRoute(app, ctx, aggregator, onUnknown);
    },
    tasks: connectionTasks(ctx, jobs),
    schedules: connectionSchedules,
    onUserDeleted: (transaction, idpId) => removeAllOf(ctx, transaction, idpId),
    close: async () => void (await Promise.all(going)),
    operator: { list: () => listForOperator(sql), rotateKeys: () => rotateKeys(ctx) },
  };
}
