import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program of the installation, which can be killed, frozen and started again. */
export interface Part {
  readonly name: string;
  /** Starts it and waits until it serves. */
  start(): Promise<void>;
  /** Whether it runs. */
  runs(): boolean;
  /** It and the processes that it started. */
  pids(): number[];
  /** Sends the signal to it alone and waits for its end, with the exit code; what has ended stays so. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Stops all of its processes where they are for so many milliseconds. */
  freeze(ms: number): Promise<void>;
  /** What it printed since it was started last. */
  output(): string;
}

interface Recipe {
  command: readonly string[];
  options?: SpawnOptions;
  /** Rejects or answers false while it does not serve. */
  serves(output: string): boolean | Promise<boolean>;
}

const START_MS = 60_000;

export function createPart(name: string, recipe: () => Recipe | Promise<Recipe>): Part {
  let child: ChildProcess | undefined;
  let ended: Promise<unknown[]> = Promise.resolve([0]);
  let text = '';
  const runs = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const pids = (): number[] => (runs() ? familyOf(child!.pid!) : []);
  return {
    name,
    runs,
    pids,
    output: () => text,
    async start() {
      const { command, options, serves } = await recipe();
      const [program = '', ...rest] = command;
      text = '';
      const own = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
      child = own;
      ended = once(own, 'exit');
      for (const stream of [own.stdout, own.stderr])
        stream?.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-1_000_000)));
      for (const until = Date.now() + START_MS; ; await sleep(20)) {
        if (!runs()) throw new Error(`${name} ended before it served:\n${text}`);
        if (await Promise.resolve(serves(text)).catch(() => false)) return;
        if (Date.now() > until) throw new Error(`${name} did not serve within a minute:\n${text}`);
      }
    },
    async end(signal) {
      if (runs()) child!.kill(signal);
      await ended;
      return child?.exitCode ?? null;
    },
    async freeze(ms) {
      const frozen = pids();
      signalAll(frozen, 'SIGSTOP');
      await sleep(ms);
      signalAll(frozen, 'SIGCONT');
    },
  };
}

/** Whether something takes connections on this port of the machine. */
export const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const client = connect(port, '127.0.0.1', () => resolve(client.destroy() !== undefined));
    client.on('error', () => resolve(false));
  });

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Linux only. */
function familyOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return [pid, ...children.flatMap(familyOf)];
  } catch {
    return [pid];
  }
}
