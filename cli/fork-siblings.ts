import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentWith } from '../src/config/load-config.ts';
import type { openSiblings } from '../src/main.ts';

interface ForkOptions {
  /** How many processes there are to be beside this one. */
  count: number;
  /** Settings on top of this process's own; empty ones count as not set. */
  settings: Readonly<Record<string, string>>;
  siblings: Pick<ReturnType<typeof openSiblings>, 'add'>;
  /** Told in a sentence of each that ended without having been asked. */
  warn(sentence: string): void;
}

export interface ForkedSiblings {
  /** Asks each to end, once; resolves when all have, with whether each did so in order. */
  stop(): Promise<boolean>;
  /** Ends those that are left at once. */
  kill(): void;
}

/** What a process says over its channel once it serves. */
export const SERVES = 'serves';

/** Resolves when a process ends, with its signal or its exit code. */
type Ending = Promise<string>;

/** The exit code of one whose work did not end in time. */
const CUT_OFF = '1';

/** Milliseconds before a process that ended is replaced; doubled each time that the new one ends within a minute. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
const SETTLED_AFTER = 60_000;

/**
 * Starts further processes of this service on the same port (`tally start --attach --no-worker`) and replaces each that
 * ends. Resolves when all of them serve; rejects, with none left, where one ends before that.
 */
export async function forkSiblings({ count, settings, siblings, warn }: ForkOptions): Promise<ForkedSiblings> {
  const children = new Map<ChildProcess, Ending>();
  const stopping = new AbortController();

  const start = async (): Promise<{ ended: Ending }> => {
    const child = fork(process.argv[1]!, ['start', '--attach', '--no-worker'], {
      env: environmentWith(settings),
      execArgv: [],
      // Its log goes where ours goes; what it would print ("ready …") is said once, by us.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    const ended = endingOf(child);
    children.set(child, ended);
    void ended.then(() => children.delete(child));
    siblings.add(child);
    const serves = new Promise<void>((resolve) => {
      child.on('message', (message) => void (message === SERVES && resolve()));
    });
    const early = await Promise.race([serves, ended]);
    if (early) throw new Error(`one of the processes ended before it served (${early})`);
    return { ended };
  };
  /** Keeps one process running until all are to stop. */
  const keepOne = async ({ ended }: { ended: Ending }): Promise<void> => {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const began = performance.now();
      const how = await ended;
      if (stopping.signal.aborted) return;
      if (performance.now() - began > SETTLED_AFTER) pause = FIRST_PAUSE;
      warn(`A process ended (${how}); another takes its place.`);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
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
    for (const running of await Promise.all(starting)) void keepOne(running);
  } catch (error) {
    kill();
    await Promise.allSettled(starting);
    throw error;
  }
  let stopped: Promise<boolean> | undefined;
  const end = async (): Promise<boolean> => {
    stopping.abort();
    for (const child of children.keys()) child.kill('SIGTERM');
    const endings = await Promise.all(children.values());
    return endings.every((how) => how !== CUT_OFF && how !== 'SIGKILL');
  };
  return { stop: () => (stopped ??= end()), kill };
}

const endingOf = (child: ChildProcess): Ending =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)));
    // Also a message to a process that has just ended, which its exit follows.
    child.on('error', (error) => void (child.pid === undefined && resolve(error.message)));
  });
