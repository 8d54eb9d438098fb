import { AppError } from '../../errors.ts';
import { isLostWorkerError } from './connection-loss.ts';
import { destroyClient } from './pool.ts';
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
 * rows would wait for the statement timeout. Workers are checked when a statement has no response for `SILENCE_MS`, when
 * it fails because of a worker, and when a readiness probe asks. While one is lost, requests also start a check at most
 * once a second. A slow statement is never ended while its worker responds.
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
        // Other members must not depend on the look-up.
        return lost.length > 0 && (await Promise.resolve(isAffected(lost)).catch(() => false));
      };
      if (listLost().length > 0) void check();
      if (await isLost()) throw new AppError('UNAVAILABLE', { retryAfter: 2 });
      const { promise: loss, reject } = Promise.withResolvers<never>();
      let hasEnded = false;
      const timer = setInterval(() => {
        void check()
          .then(isLost)
          .then((lost) => {
            if (!lost) return;
            hasEnded = true;
            reject(new AppError('UNAVAILABLE', { retryAfter: 2 }));
          });
      }, SILENCE_MS);
      const run: typeof work = async (client) => {
        // A connection may become free after the rejection.
        if (hasEnded) return await loss;
        let isRunning = true;
        const result = work(client).finally(() => {
          isRunning = false;
        });
        try {
          return await Promise.race([loss, result]);
        } finally {
          // Else the next borrower would share the connection with this work.
          if (isRunning) destroyClient(client);
        }
      };
      try {
        return await Promise.race([loss, borrow(run)]);
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

/** Returns whether the coordinator reaches a worker in time. Rejects if the coordinator itself does not respond. */
async function responds(coordinator: WithClient, host: string, port: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await coordinator(async (client) => {
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, RESPONSE_TIMEOUT_MS, undefined);
      });
      const sent = awaitAll([
        send(client, 'begin'),
        send(client, `set local citus.node_connection_timeout to ${RESPONSE_TIMEOUT_MS}`),
        send(client, 'select citus_check_connection_to_node($1, $2) as ok', [host, port]),
        send(client, 'commit'),
      ]);
      const results = await Promise.race([late, sent]);
      if (results) return (results[2]!.rows[0] as { ok: boolean }).ok;
      destroyClient(client);
      return false;
    });
  } finally {
    clearTimeout(timer);
  }
}
