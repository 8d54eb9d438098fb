import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Target } from './load.ts';

const children: ChildProcess[] = [];

/** Starts a server of this folder as a process of its own; it prints its address and, where it wants one, a key. */
export async function serve(file: string, ...args: string[]): Promise<Target> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [url, key] = line.toString().trim().split(' ');
  return { url: url!, key, pid: child.pid };
}

/** Has `endServers` end this process too. */
export const endWithServers = (child: ChildProcess): void => void children.push(child);

/** Ends every server that `serve` started. */
export function endServers(): void {
  for (const child of children) child.kill();
}
