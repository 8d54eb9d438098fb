import { AppError } from '../../errors.ts';
import { isLostWorkerError } from './connection-loss.ts';
import type { WithClient } from './replica.ts';
import { awaitAll, send } from './run-as.ts';

/** A worker of a Citus cluster, named as in `pg_dist_node` (`host:port`). */
export interface WorkerState {
  name: string;
  isUp: boolean;
}

export interface WorkerWatch {
  /** Asks each worker unless that was done in the last second, and returns the states. Never rejects. */
  check(): Promise<readonly WorkerState[]>;
  /**
   * Lends a connection like `borrow`. Throws UNAVAILABLE if `isAffected` is true for the lost workers, at the start or
   * while the work waits.
   */
  guard(isAffected: (lost: readonly string[]) => boolean | Promise<boolean>, borrow: WithClient): WithClient;
  /** Returns whether this member's rows are on one of these workers. */
  hasRowsOn(idpId: string, workers: readonly string[]): Promise<boolean>;
}

/** Time in ms without a response after which the workers are checked. */
const SILENCE_MS = 500;

/** Time in ms for a worker to respond to a check, which takes some ms. */
const RESPONSE_TIMEOUT_MS = 1_000;

const CHECK_INTERVAL_MS = 1_000;

/**
 * Detects workers that do not respond to the coordinator. A lost machine refuses no connection, so a statement on its
 * rows would wait for the statement timeout. Workers are checked when a statement is silent or fails, when a probe asks,
 * and each second while one is lost and requests arrive. A slow statement on a responding worker goes on.
 */
export function watchWorkers(coordinator: WithClient, onChange: (state: WorkerState) => void = () => {}): WorkerWatch {
  let states: readonly WorkerState[] = [];
  let nextCheckAt = 0;
  let checking: Promise<void> | undefined;
  const listLost = (): string[] => states.filter(({ isUp }) => !isUp).map(({ name }) => name);

  const checkAll = async (): Promise<void> => {
    const { rows } = await coordinator((client) => send(client, LIST_WORKERS));
    const workers = rows as { name: string; host: string; port: number }[];
    const next = await Promise.all(
      workers.map(async ({ name, host, port }) => ({ name, isUp: await responds(coordinator, host, port) })),
    );
    const lostBefore = listLost();
    states = next;
    for (const state of next) if (state.isUp === lostBefore.includes(state.name)) onChange(state);
  };
  const check = async (): Promise<readonly WorkerState[]> => {
    if (!checking && performance.now() >= nextCheckAt)
      checking = checkAll()
        .catch(() => {}) // without the coordinator nothing is known about its workers
        .finally(() => {
          nextCheckAt = performance.now() + CHECK_INTERVAL_MS;
          checking = undefined;
        });
    await checking;
    return states;
  };

  return {
    check,
    hasRowsOn: async (idpId, workers) => {
      const { rows } = await coordinator((client) => send(client, HAS_ROWS_ON, [idpId, workers]));
      return (rows[0] as { affected: boolean }).affected;
    },
    guard: (isAffected, borrow) => async (work) => {
      const isLost = async (): Promise<boolean> => {
        const lost = listLost();
        return lost.length > 0 && (await isAffected(lost));
      };
      if (listLost().length > 0) void check();
      if (await isLost()) throw new AppError('UNAVAILABLE', { retryAfter: 2 });
      const { promise: loss, reject } = Promise.withResolvers<never>();
      const timer = setInterval(() => {
        void check()
          .then(isLost)
          .then(
            (lost) => lost && reject(new AppError('UNAVAILABLE', { retryAfter: 2 })),
            () => {},
          );
      }, SILENCE_MS);
      try {
        return await Promise.race([loss, borrow((client) => Promise.race([loss, work(client)]))]);
      } catch (error) {
        if (isLostWorkerError(error)) void check();
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
  };
}

const LIST_WORKERS = `
  select format('%s:%s', nodename, nodeport) as name, nodename as host, nodeport as port
    from pg_dist_node where noderole = 'primary' and isactive and groupid > 0 order by 1`;

const HAS_ROWS_ON = `
  select exists (
    select from pg_dist_placement p join pg_dist_node n using (groupid)
     where p.shardid = get_shard_id_for_distribution_column('public.accounts', $1::text)
       and format('%s:%s', n.nodename, n.nodeport) = any ($2::text[])) as affected`;

/** Returns whether the coordinator reaches a worker in time. A connection that the coordinator kept may be dead. */
async function responds(coordinator: WithClient, host: string, port: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await coordinator(async (client) => {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('no response')), RESPONSE_TIMEOUT_MS);
      });
      const sent = awaitAll([
        send(client, 'begin'),
        send(client, `set local citus.node_connection_timeout to ${RESPONSE_TIMEOUT_MS}`),
        send(client, 'select citus_check_connection_to_node($1, $2) as ok', [host, port]),
        send(client, 'commit'),
      ]);
      const results = await Promise.race([late, sent]);
      return (results[2]!.rows[0] as { ok: boolean }).ok;
    });
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
