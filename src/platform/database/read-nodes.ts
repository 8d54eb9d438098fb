import { AppError } from '../../errors.ts';
import { isConnectionLoss } from './connection-loss.ts';
import { isQueryTimeout } from './pool.ts';
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
 * Returns a lender that takes the nodes in turn. If a node does not respond, the next one runs the read, and the failed
 * one is skipped for some seconds. Without any other node the coordinator runs it, since its processor time is what limits
 * a cluster. Each node reads the same rows, since Citus confirms a write after its worker has committed it.
 */
export function takeTurns(
  nodes: readonly ReadNode[],
  coordinator: WithClient,
  onFailure: (name: string, error: unknown) => void,
): WithClient {
  const retryAt = new Map<ReadNode, number>();
  let turn = 0;
  return async (work) => {
    turn = (turn + 1) % nodes.length;
    for (const node of [...nodes.slice(turn), ...nodes.slice(0, turn)]) {
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
