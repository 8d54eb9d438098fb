import type pg from 'pg';
import { createWorkerLookup } from './find-workers.ts';
import { openPool, type PoolOptions, withClient } from './pool.ts';
import { isReadOnWorkers, routeReads } from './read-nodes.ts';
import type { WithClient } from './replica.ts';
import { type WorkerState, watchWorkers } from './worker-watch.ts';

export interface ClusterOptions extends Pick<PoolOptions, 'connectTimeoutMs' | 'prepare' | 'distributed' | 'onError'> {
  /** Connections for members' statements, and as many on each read node (default 10). */
  memberConnections?: number;
  /** Called when a worker stops responding to the coordinator, and when it responds again. */
  onWorkerStateChange?: (state: WorkerState) => void;
  /** Called when a read node does not respond, so that another node runs the read. */
  onReadNodeFailure?: (name: string, error: unknown) => void;
}

/** What a Citus cluster adds to the connections to its coordinator. */
export interface Cluster {
  /** Wraps `acquire`. A member's statements end with UNAVAILABLE if a worker with rows of the member is lost. */
  guardMember(idpId: string, acquire: WithClient): WithClient;
  /** Acquires connections for a single statement of one member. */
  acquireForStatement(idpId: string, text: string): WithClient;
  /** Returns the state of each worker, checked just before. Never rejects. */
  listWorkers(): Promise<readonly WorkerState[]>;
  /** The opened pools, by name. */
  pools: Readonly<Record<string, pg.Pool>>;
}

/** Number of connections to the coordinator that find and check workers. A lost worker uses one of them at a time. */
const CHECK_CONNECTIONS = 4;

/** Timeout in ms for a connection to another node, which takes some ms. After it the next node runs the read. */
const READ_NODE_TIMEOUTS = { connectTimeoutMs: 1_000 };

/**
 * Opens the connections that check the workers, and those to the read nodes. `acquireMember` acquires members'
 * connections to the coordinator, and `acquireFrom` those of another pool of the coordinator.
 */
export function openCluster(
  urls: { service: string; readNodes?: readonly { name: string; url: string }[] },
  options: ClusterOptions,
  acquireMember: WithClient,
  acquireFrom: (pool: pg.Pool) => WithClient,
): Cluster {
  const checks = openPool(urls.service, CHECK_CONNECTIONS, options);
  const acquireForChecks = acquireFrom(checks);
  const findWorkers = createWorkerLookup(acquireForChecks);
  const workers = watchWorkers(acquireForChecks, findWorkers, options.onWorkerStateChange);
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
  const acquireForReads = routeReads(nodes, acquireMember, findWorkers, options.onReadNodeFailure ?? (() => {}));
  return {
    guardMember: workers.guardMember,
    acquireForStatement: (idpId, text) =>
      nodes.length > 0 && isReadOnWorkers(text) ? acquireForReads(idpId) : acquireMember,
    listWorkers: workers.check,
    pools: { checks, ...nodePools },
  };
}

/** Returns a `Cluster` for one PostgreSQL, which has no workers. */
export const withoutCluster = (acquireMember: WithClient): Cluster => ({
  guardMember: (_idpId, acquire) => acquire,
  acquireForStatement: () => acquireMember,
  listWorkers: async () => [],
  pools: {},
});
