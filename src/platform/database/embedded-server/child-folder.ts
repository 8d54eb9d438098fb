import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { Account } from './server-account.ts';

/** Descriptor under which a child finds the opened folder. */
const FOLDER_FD = 4;

/** How a child of another account finds a folder. */
export interface ChildFolder {
  /** Path to name the folder by in the child. */
  path: string;
  fd: number | null;
  close(): Promise<void>;
}

/**
 * Opens the folder for a child. As root on Linux the child reaches it through a descriptor of its own
 * (`/proc/self/fd/4`), which asks no permission of the parents: a data directory below /root (0700) works although the
 * server runs as `nobody`.
 */
export async function openForChild(folder: string, account: Account | null): Promise<ChildFolder> {
  if (!account || process.platform !== 'linux') return { path: folder, fd: null, close: async () => {} };
  const handle = await open(folder, 'r');
  return { path: `/proc/self/fd/${FOLDER_FD}`, fd: handle.fd, close: () => handle.close() };
}

/** Starts a program in a session of its own, apart from Ctrl-C. Descriptor 3 is a pipe that ends with us. */
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
