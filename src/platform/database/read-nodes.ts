import { AppError } from '../../errors.ts';
import { isConnectionLoss } from './connection-loss.ts';
import { MEMBER_TABLES, REFERENCE_TABLES, WORKER_VIEWS } from './distribute.ts';
import { isQueryTimeout } from './pool.ts';
import type { FindWorkers } from './find-workers.ts';
import type { WithClient } from './replica.ts';

/** A server of a Citus cluster that answers reads of members' rows. */
export interface ReadNode {
  /** Its address, `host:port`. */
  name: string;
  withClient: WithClient;
}

/** Time in ms for which a node is skipped after its connection failed. */
const RETRY_AFTER_MS = 5_000;

/**
 * Returns a function that acquires connections for reads of a member, to the worker with the member's rows. If that
 * worker is no read node or does not respond, the other nodes take turns. A node that failed is skipped for some
 * seconds. The coordinator is asked last, since its processor time limits a cluster. Each node reads the same rows,
 * since Citus confirms a write after its worker has committed it.
 */
export function routeReads(
  nodes: readonly ReadNode[],
  coordinator: WithClient,
  findWorkers: FindWorkers,
  onFailure: (name: string, error: unknown) => void,
): (idpId: string) => WithClient {
  const retryAt = new Map<ReadNode, number>();
  let turn = 0;
  return (idpId) => async (work) => {
    const [worker] = await findWorkers(idpId);
    const own = nodes.filter(({ name }) => name === worker);
    const others = nodes.filter(({ name }) => name !== worker);
    turn = (turn + 1) % Math.max(1, others.length);
    for (const node of [...own, ...others.slice(turn), ...others.slice(0, turn)]) {
      if (performance.now() < (retryAt.get(node) ?? 0)) continue;
      try {
        return await node.withClient(work);
      } catch (error) {
        if (!isConnectionFailure(error)) throw error;
        retryAt.set(node, performance.now() + RETRY_AFTER_MS);
        onFailure(node.name, error);
      }
    }
    return coordinator(work);
  };
}

const TABLES_ON_WORKERS: ReadonlySet<string> = new Set([...MEMBER_TABLES, ...REFERENCE_TABLES, ...WORKER_VIEWS]);

/**
 * Returns whether a statement of a member can run on a worker: it only reads, and each table, view and function that it
 * names is there. In doubt the coordinator runs it.
 */
export function isReadOnWorkers(text: string): boolean {
  if (!/^\s*(?:select|with)\b/i.test(text) || /\b(?:insert|update|delete|merge)\b/i.test(text)) return false;
  const names = [...text.matchAll(/\b(public|market|tally|idp|auth|graphile_worker)\.(\w+)/g)];
  return names.length > 0 && names.every(([, schema, name]) => schema === 'public' && TABLES_ON_WORKERS.has(name!));
}

/** Returns the URL of another server of the cluster: `DB_URL` with its host and port replaced. */
export function buildNodeUrl(dbUrl: string, node: string): string {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)[^/?#]*(.*)$/s.exec(dbUrl);
  if (!parts) throw new Error('The database URL must have the form postgres://user:password@host:port/database.');
  return `${parts[1]}${node}${parts[2]}`;
}

/** Returns whether the node did not respond. A statement that took too long would take as long on another node. */
const isConnectionFailure = (error: unknown): boolean =>
  (error instanceof AppError && error.code === 'UNAVAILABLE' && !isQueryTimeout(error.cause)) ||
  (isConnectionLoss(error) && (error as { severity?: string }).severity !== 'ERROR');
