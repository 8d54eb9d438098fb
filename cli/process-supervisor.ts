import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { extendEnvironment } from '../src/config/load-config.ts';
import type { openMetricsPeers } from '../src/main.ts';

interface SupervisorOptions {
  /** How many processes there are to be beside this one. */
  count: number;
  /** Settings on top of this process's own; empty ones count as not set. */
  settings: Readonly<Record<string, string>>;
  metricsPeers: Pick<ReturnType<typeof openMetricsPeers>, 'add'>;
  /** Told in a sentence of each that ended without having been asked. */
  warn(message: string): void;
}

export interface ProcessSupervisor {
  /** Asks each to end, once; resolves when all have, with whether each did so in order. */
  stop(): Promise<boolean>;
  /** Ends those that are left at once. */
  kill(): void;
}

/** What a process says over its channel once it serves. */
export const READY_MESSAGE = 'serves';

/** Resolves when a process ends, with its signal or its exit code. */
type ProcessExit = Promise<string>;

/** The exit code of one whose work did not end in time. */
const SHUTDOWN_TIMEOUT_EXIT_CODE = '1';

/** Milliseconds before a process that ended is replaced; doubled each time that the new one ends within a minute. */
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
const STABLE_AFTER_MS = 60_000;

/**
 * Starts further processes of this service on the same port (`tally start --attach --no-worker`) and replaces each that
 * ends. Resolves when all of them serve; rejects, with none left, where one ends before that.
 */
export async function superviseProcesses({
  count,
  settings,
  metricsPeers,
  warn,
}: SupervisorOptions): Promise<ProcessSupervisor> {
  const children = new Map<ChildProcess, ProcessExit>();
  const stopping = new AbortController();

  const start = async (): Promise<{ ended: ProcessExit }> => {
    const child = fork(process.argv[1]!, ['start', '--attach', '--no-worker'], {
      env: extendEnvironment(settings),
      execArgv: [],
      // Its log goes where ours goes; what it would print ("ready …") is said once, by us.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    const ended = waitForExit(child);
    children.set(child, ended);
    void ended.then(() => children.delete(child));
    metricsPeers.add(child);
    const isReady = new Promise<void>((resolve) => {
      child.on('message', (message) => void (message === READY_MESSAGE && resolve()));
    });
    const earlyExit = await Promise.race([isReady, ended]);
    if (earlyExit) throw new Error(`one of the processes ended before it served (${earlyExit})`);
    return { ended };
  };
  /** Keeps one process running until all are to stop. */
  const superviseProcess = async ({ ended }: { ended: ProcessExit }): Promise<void> => {
    for (let backoffMs = INITIAL_BACKOFF_MS; ; backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS)) {
      const startedAt = performance.now();
      const exitStatus = await ended;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > STABLE_AFTER_MS) backoffMs = INITIAL_BACKOFF_MS;
      warn(`A process ended (${exitStatus}); another takes its place.`);
      await sleep(backoffMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      ({ ended } = await start().catch((error: Error) => ({ ended: Promise.resolve(error.message) })));
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
  return { stop: () => (stoppingAll ??= stopAll()), kill };
}

const waitForExit = (child: ChildProcess): ProcessExit =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)));
    // Also a message to a process that has just ended, which its exit follows.
    child.on('error', (error) => void (child.pid === undefined && resolve(error.message)));
  });
