import type pg from 'pg';
import { createWorkerLookup } from './find-workers.ts';
import { openPool, type PoolOptions, withClient } from './pool.ts';
import { routeReads } from './read-nodes.ts';
import type { WithClient } from './replica.ts';
import { type WorkerState, watchWorkers } from './worker-watch.ts';

export interface ClusterOptions extends Pick<
  PoolOptions,
  'connectTimeoutMs' | 'requestTimeoutMs' | 'prepare' | 'distributed' | 'onError'
> {
  /** Connections for members' statements, and on each read node for reads of them (default 10). */
  memberConnections?: number;
  /** Called when a worker stops responding to the coordinator, and when it responds again. */
  onWorkerStateChange?: (state: WorkerState) => void;
  /** Called when a read node does not respond, so that another node runs the read. */
  onReadNodeFailure?: (name: string, error: unknown) => void;
}

/** What a Citus cluster adds to the connections of its coordinator. */
export interface Cluster {
  /** Wraps `acquire`. A member's statements end with UNAVAILABLE if a worker with rows of the member is lost. */
  guardMember(idpId: string, acquire: WithClient): WithClient;
  /** Acquires connections for reads of one member's rows. */
  acquireForReads(idpId: string): WithClient;
  /** Returns the state of each worker, checked just before. Never rejects. */
  listWorkers(): Promise<readonly WorkerState[]>;
  pools: Readonly<Record<string, pg.Pool>>;
}

/** Number of connections that check the workers. A lost worker uses one of them at a time. */
const CHECK_CONNECTIONS = 4;

/** Timeout in ms for a connection to another node, which takes some ms. After it the next node runs the read. */
const READ_NODE_TIMEOUTS = { connectTimeoutMs: 1_000 };

/**
 * Opens the connections for checks of the workers and for reads of them. `acquireOnCoordinator` acquires connections of
 * members on the coordinator, and `withMonitoring` those of a pool of the coordinator.
 */
export function openCluster(
  urls: { service: string; readNodes?: readonly { name: string; url: string }[] },
  options: ClusterOptions,
  acquireOnCoordinator: WithClient,
  withMonitoring: (pool: pg.Pool) => WithClient,
): Cluster {
  const checks = openPool(urls.service, CHECK_CONNECTIONS, options);
  const findWorkers = createWorkerLookup(withMonitoring(checks));
  const workers = watchWorkers(withMonitoring(checks), findWorkers, options.onWorkerStateChange);
  const nodePools = Object.fromEntries(
    (urls.readNodes ?? []).map(({ name, url }) => [
      name,
      openPool(url, options.memberConnections, { ...options, ...READ_NODE_TIMEOUTS }),
    ]),
  );
  const nodes = Object.entries(nodePools).map(([name, pool]) => ({
    name,
    withClient: workers.guardWorker(name, (work) => withClient(pool, work)),
  }));
  return {
    guardMember: workers.guardMember,
    acquireForReads:
      nodes.length === 0
        ? () => acquireOnCoordinator
        : routeReads(nodes, acquireOnCoordinator, findWorkers, options.onReadNodeFailure ?? (() => {})),
    listWorkers: workers.check,
    pools: { checks, ...nodePools },
  };
}

/** The same for one PostgreSQL, which has no workers. */
export const withoutCluster = (acquire: WithClient): Cluster => ({
  guardMember: (_idpId, acquireGuarded) => acquireGuarded,
  acquireForReads: () => acquire,
  listWorkers: async () => [],
  pools: {},
});
