import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Target } from './load.ts';

const childProcesses: ChildProcess[] = [];

/** Starts a server of this folder in its own process. The server prints its address and, if required, a key. */
export async function startServer(file: string, ...args: string[]): Promise<Target> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  childProcesses.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [url, key] = line.toString().trim().split(' ');
  return { url: url!, key, pid: child.pid };
}

/** Registers a process that `killServers` also stops. */
export function registerChild(child: ChildProcess): void {
  childProcesses.push(child);
}

/** Stops every registered server process. */
export function killServers(): void {
  for (const child of childProcesses) child.kill();
}
