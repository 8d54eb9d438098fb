import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { RequestMetrics } from '../../platform/http/metrics.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { createMemberAccess } from '../../platform/identity/member-access.ts';
import type { Member } from '../../platform/identity/member.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Feature } from '../../feature.ts';
import { type AggregatorSettings, createAggregators } from './aggregators.ts';
import type { ConnectionList } from './contract.ts';
import type { ConnectedPortfolios, ConnectionContext, OnConnected } from './context.ts';
import { memberRows } from './export-queries.ts';
import { connectionSchedules, connectionTasks } from './jobs.ts';
import { addConnectionMetrics } from './metrics.ts';
import { deleteLostCiphertexts } from './encrypted-queries.ts';
import { listConnections, listConnectionsForOperator, type OperatorRow } from './queries.ts';
import { removeMemberConnections } from './remove-connection.ts';
import { rotateKeys, type Rotation } from './rotate-keys.ts';
import { addConnectionRoutes, toConnectionList } from './routes.ts';
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
  finishTimeoutMs?: number;
}

export interface Connections extends Feature {
  register(app: HttpApp): Promise<void>;
  /** Returns the member's connections with their accounts, oldest first. */
  listConnections(member: Pick<Member, 'idpId' | 'sessionId'>): Promise<ConnectionList>;
  /** Operations of the command line. */
  readonly operator: { list(): Promise<OperatorRow[]>; rotateKeys(): Promise<Rotation> };
}

/** Creates the feature that reads members' accounts and holdings from a bank or brokerage aggregator. */
export function createConnections(deps: ConnectionDependencies): Connections {
  const { database, logger, jobs, metrics, guards, baseUrl, portfolios, onConnected, settings } = deps;
  const sql = database.service;
  const { ring, aggregators } = createAggregators(settings, { sql, logger });
  const context: ConnectionContext = { sql, logger, ring, aggregators, portfolios, onConnected };
  const access = createMemberAccess(database, guards);
  const pendingWork = new Set<Promise<unknown>>();
  const trackPendingWork = (work: Promise<unknown>): void => {
    const settled = work
      .catch((err: unknown) => logger.error({ err }, 'failed to finish the work on a connection'))
      .finally(() => pendingWork.delete(settled));
    pendingWork.add(settled);
  };
  const deleteLost = async (): Promise<void> => {
    const deleted = await deleteLostCiphertexts(sql, ring.keyIds);
    logger.warn({ deleted }, 'deleted the credentials whose key is lost: remove CONNECTIONS_KEY_PREVIOUS=lost');
  };
  return {
    name: 'connections',
    memberRows,
    async register(app) {
      const onUnknownConnection = addConnectionMetrics(metrics.registry, sql, logger);
      await addConnectionRoutes(app, {
        ...access,
        context,
        baseUrl,
        onPendingWork: trackPendingWork,
        finishTimeoutMs: deps.finishTimeoutMs,
      });
      for (const aggregator of aggregators) addWebhookRoute(app, context, aggregator, onUnknownConnection);
    },
    listConnections: async (member) => toConnectionList(await listConnections(access.asMember(member))),
    tasks: connectionTasks(context, jobs),
    schedules: connectionSchedules,
    onUserDeleted: (transaction, idpId) => removeMemberConnections(context, transaction, idpId),
    close: async () => {
      await Promise.all(pendingWork);
    },
    startBackground() {
      if (settings.keys?.isPreviousLost) trackPendingWork(deleteLost());
    },
    operator: { list: () => listConnectionsForOperator(sql), rotateKeys: () => rotateKeys(context) },
  };
}
