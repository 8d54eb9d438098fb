import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { Account } from './server-account.ts';

/** File descriptor of the opened folder in a child. */
const FOLDER_FD = 4;

/** Path and descriptor of a folder for a child of another account. */
export interface ChildFolder {
  /** Path of the folder in the child. */
  path: string;
  fd: number | null;
  close(): Promise<void>;
}

/**
 * Opens the folder for a child. As root on Linux the child reaches it through a descriptor (`/proc/self/fd/4`), which
 * needs no permission on the parents. So a data directory below /root (0700) works although the server runs as
 * `nobody`.
 */
export async function openForChild(folder: string, account: Account | null): Promise<ChildFolder> {
  if (!account || process.platform !== 'linux') return { path: folder, fd: null, close: async () => {} };
  const handle = await open(folder, 'r');
  return { path: `/proc/self/fd/${FOLDER_FD}`, fd: handle.fd, close: () => handle.close() };
}

/**
 * Starts a program in a session of its own, so that Ctrl-C does not reach it. Descriptor 3 is a pipe that closes when
 * this process ends.
 */
export function spawnInFolder(
  folder: ChildFolder,
  account: Account | null,
  command: readonly string[],
  output: 'pipe' | number,
): ChildProcess {
  const [program = '', ...arguments_] = command;
  return spawn(program, arguments_, {
    ...account,
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', output, 'pipe', folder.fd ?? 'ignore'],
  });
}
