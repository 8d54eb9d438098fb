import { AppError } from '../../errors.ts';
import { isLostWorkerError } from './connection-loss.ts';
import { type FindWorkers, LIST_WORKERS, type Worker } from './find-workers.ts';
import { destroyClient } from './pool.ts';
import type { WithClient } from './replica.ts';
import { awaitAll, send } from './run-as.ts';
import { runUnlessLost } from './run-unless-lost.ts';

/** A worker of a Citus cluster, named as in `pg_dist_node` (`host:port`). */
export interface WorkerState {
  name: string;
  isUp: boolean;
}

export interface WorkerWatch {
  /** Asks each worker unless that was done just before, and returns the states. Never rejects. */
  check(): Promise<readonly WorkerState[]>;
  /** Wraps `acquire`. Throws UNAVAILABLE if this worker is lost, at the start or while the work waits. */
  guardWorker(name: string, acquire: WithClient): WithClient;
  /** Like `guardWorker`, for each worker with rows of this member. */
  guardMember(idpId: string, acquire: WithClient): WithClient;
}

/**
 * Time in ms without a response to a statement after which the workers are checked, and after which they are checked
 * again. If a worker is lost, a member's request ends within two seconds: after this time, the pause since an earlier
 * check, and the time for a response.
 */
const SILENCE_MS = 250;

/** Minimum time in ms between two checks. */
const CHECK_INTERVAL_MS = 500;

/** Time in ms for a worker to respond to a check, which takes some ms. */
const RESPONSE_TIMEOUT_MS = 1_000;

/**
 * Detects workers that do not respond to the coordinator. A lost machine refuses no connection, so a statement on its
 * rows would wait for the statement timeout. Workers are checked when a statement has no response for `SILENCE_MS`,
 * when it fails because of a worker, and when a readiness probe asks. While one is lost, each request also starts a
 * check. A slow statement is never ended while its worker responds. `coordinator` acquires connections that serve
 * nothing but checks and look-ups of workers.
 */
export function watchWorkers(
  coordinator: WithClient,
  findWorkers: FindWorkers,
  onChange: (state: WorkerState) => void = () => {},
): WorkerWatch {
  let states: readonly WorkerState[] = [];
  let nextCheckAt = 0;
  let checking: Promise<void> | undefined;
  const listLost = (): string[] => states.filter(({ isUp }) => !isUp).map(({ name }) => name);

  const checkAll = async (): Promise<void> => {
    const { rows } = await coordinator((client) => send(client, LIST_WORKERS));
    const workers = rows as Worker[];
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

  const findLoss = async (listNeeded: () => Promise<readonly string[]>): Promise<Error | undefined> => {
    const needed = await listNeeded();
    return listLost().some((name) => needed.includes(name)) ? createLossError() : undefined;
  };

  /** Ends the work with UNAVAILABLE if one of the needed workers is lost. */
  const guard =
    (listNeeded: () => Promise<readonly string[]>, acquire: WithClient): WithClient =>
    async (work) => {
      if (listLost().length > 0) {
        void check();
        const error = await findLoss(listNeeded);
        if (error) throw error;
      }
      try {
        return await runUnlessLost(acquire, work, {
          intervalMs: SILENCE_MS,
          findLoss: () => check().then(() => findLoss(listNeeded)),
        });
      } catch (error) {
        if (isLostWorkerError(error)) void check();
        throw error;
      }
    };

  return {
    check,
    guardWorker: (name, acquire) => guard(async () => [name], acquire),
    guardMember: (idpId, acquire) => guard(() => findWorkers(idpId), acquire),
  };
}

const createLossError = () => new AppError('UNAVAILABLE', { retryAfter: 2 });

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
        // The coordinator gives up first, so that its connection to the service stays in use.
        send(client, `set local citus.node_connection_timeout to ${RESPONSE_TIMEOUT_MS - 100}`),
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
