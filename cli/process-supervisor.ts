import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { extendEnvironment } from '../src/config/load-config.ts';
import type { openMetricsPeers } from '../src/main.ts';

interface SupervisorOptions {
  /** Number of processes to run beside this one. */
  count: number;
  /** Further options of each process. */
  options: readonly string[];
  /** Settings that override those of this process. An empty value counts as not set. */
  settings: Readonly<Record<string, string>>;
  metricsPeers: Pick<ReturnType<typeof openMetricsPeers>, 'add'>;
  /** Called with a sentence when a process exits unexpectedly. */
  warn(message: string): void;
}

export interface ProcessSupervisor {
  /** Stops every process once. Resolves when all have exited, with whether each exited cleanly. */
  stop(): Promise<boolean>;
  /** Kills the remaining processes at once. */
  kill(): void;
}

/** Message that a process sends over its channel once it accepts requests. */
export const READY_MESSAGE = 'ready';

/** Resolves when a process exits, with the signal or the exit code. */
type ProcessExit = Promise<string>;

/** Exit code of a process whose shutdown timed out. */
const SHUTDOWN_TIMEOUT_EXIT_CODE = '1';

/**
 * Delay in ms before a process is restarted. The delay doubles each time that the new process exits within a minute.
 */
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
const STABLE_AFTER_MS = 60_000;

/**
 * Starts further processes of this service on the same port (`tally start --attach --no-worker`). Restarts each process
 * that exits. Resolves when all accept requests. Rejects if one exits before that, after all have exited.
 */
export async function superviseProcesses({
  count,
  options,
  settings,
  metricsPeers,
  warn,
}: SupervisorOptions): Promise<ProcessSupervisor> {
  const children = new Map<ChildProcess, ProcessExit>();
  const stopping = new AbortController();

  const start = async (): Promise<{ ended: ProcessExit }> => {
    const child = fork(process.argv[1]!, ['start', '--attach', '--no-worker', ...options], {
      env: extendEnvironment(settings),
      execArgv: [],
      // The log shares our standard error. Standard output is ignored, since we print "ready …" once.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    const ended = waitForExit(child);
    children.set(child, ended);
    void ended.then(() => children.delete(child));
    metricsPeers.add(child);
    const isReady = new Promise<void>((resolve) => {
      child.on('message', (message) => {
        if (message === READY_MESSAGE) resolve();
      });
    });
    const earlyExit = await Promise.race([isReady, ended]);
    if (earlyExit) throw new Error(`one of the processes exited before it was ready (${earlyExit})`);
    return { ended };
  };
  /** Keeps one process running until all are stopped. */
  const superviseProcess = async (first: { ended: ProcessExit }): Promise<void> => {
    let running = first;
    let backoffMs = INITIAL_BACKOFF_MS;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const exitStatus = await running.ended;
      if (!stopping.signal.aborted) {
        if (performance.now() - startedAt > STABLE_AFTER_MS) backoffMs = INITIAL_BACKOFF_MS;
        warn(`Worker process exited (${exitStatus}); restarting.`);
        await sleep(backoffMs, undefined, { signal: stopping.signal }).catch(() => {});
        backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
      }
      if (!stopping.signal.aborted)
        running = await start().catch((error: Error) => ({ ended: Promise.resolve(error.message) }));
    }
  };

  const kill = (): void => {
    stopping.abort();
    for (const child of children.keys()) child.kill('SIGKILL');
  };
  const starting = Array.from({ length: count }, start);
  try {
    for (const running of await Promise.all(starting)) void superviseProcess(running);
  } catch (error) {
    kill();
    await Promise.allSettled(starting);
    throw error;
  }
  let stoppingAll: Promise<boolean> | undefined;
  const stopAll = async (): Promise<boolean> => {
    stopping.abort();
    for (const child of children.keys()) child.kill('SIGTERM');
    const exitStatuses = await Promise.all(children.values());
    return exitStatuses.every((exitStatus) => exitStatus !== SHUTDOWN_TIMEOUT_EXIT_CODE && exitStatus !== 'SIGKILL');
  };
  return {
    stop: () => {
      stoppingAll ??= stopAll();
      return stoppingAll;
    },
    kill,
  };
}

const waitForExit = (child: ChildProcess): ProcessExit =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)));
    // This also covers a message to a process that has just exited. The exit follows.
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });
