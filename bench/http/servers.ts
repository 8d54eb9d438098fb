import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Target } from './load.ts';

const childProcesses: ChildProcess[] = [];

/** Starts a server of this folder as a process of its own; it prints its address and, where it wants one, a key. */
export async function startServer(file: string, ...args: string[]): Promise<Target> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  childProcesses.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [url, key] = line.toString().trim().split(' ');
  return { url: url!, key, pid: child.pid };
}

/** Has `killServers` end this process too. */
export const registerChild = (child: ChildProcess): void => void childProcesses.push(child);

/** Ends every server that `serve` started. */
export function killServers(): void {
  for (const child of childProcesses) child.kill();
}
