import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A service in its own process, started like by a person. */
export interface ServiceProcess {
  child: ChildProcess;
  /** The address after `ready`. Rejects with the output if the process ends before. */
  ready: Promise<string>;
  /** Milliseconds from spawn to `ready`. */
  readyAfter: Promise<number>;
  /** Returns the output so far. */
  output(): string;
  /** Sends the signal and waits for the end. Returns the exit code, or `null` after a signal. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Runs `command` (default: `tally start`) with these settings and only PATH of the caller's environment. */
export function startService(
  settings: Record<string, string>,
  command: readonly string[] = ['bin/tally.mjs', 'start'],
): ServiceProcess {
  const started = performance.now();
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  let text = '';
  let readyAt = 0;
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const address = /^ready (http\S+)$/m.exec(text)?.[1];
        if (!address || readyAt > 0) return;
        readyAt = performance.now();
        resolve(address);
      });
    }
    void ended.then(([code]) => reject(new Error(`the service ended (${code}) before it was ready:\n${text}`)));
  });
  const readyAfter = ready.then(() => readyAt - started);
  // A caller that kills the service on purpose does not await this promise.
  readyAfter.catch(() => {});
  return {
    child,
    ready,
    readyAfter,
    output: () => text,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

/**
 * Returns ids of processes that work in `folder` or name it in their command line, such as those left by a killed
 * service. Linux only; other systems return none.
 */
export function listProcesses(folder: string): number[] {
  return listProcessIds().filter((pid) => {
    if (pid === process.pid) return false;
    const describeProcess = [
      () => readlinkSync(`/proc/${pid}/cwd`),
      () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    ];
    return describeProcess.some((read) => ignoreErrors(read).includes(folder));
  });
}

function listProcessIds(): number[] {
  return ignoreErrors(() => readdirSync('/proc').join(' '))
    .split(' ')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Returns an empty text if the process has ended or belongs to another account. */
function ignoreErrors(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
