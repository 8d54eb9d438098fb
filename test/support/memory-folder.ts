import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's folder in memory. */
const SHARED_MEMORY_DIR = '/dev/shm';

/** Creates a folder, in memory where there is space: copying a database takes 26-53 ms there and 82-93 ms on disk. */
export const createFolder = async (prefix: string): Promise<string> =>
  mkdtemp(join((await hasCapacity(SHARED_MEMORY_DIR)) ? SHARED_MEMORY_DIR : tmpdir(), prefix));

/**
 * Returns true if the folder exists and is large enough to work in. In a container shared memory may be as small as 64
 * MB.
 */
export async function hasCapacity(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => null);
  return found !== null && found.bavail * found.bsize > 2 * 2 ** 30;
}

/**
 * Moves temporary files of this process and its children into memory, where there is space and programs may run.
 * Returns a function that removes them. On ext4 the search for a free inode slows down tests with many files: tests
 * that start servers took three times as long.
 */
export async function runInMemoryFolder(): Promise<() => void> {
  if (!(await hasCapacity(SHARED_MEMORY_DIR))) return () => {};
  const folder = await mkdtemp(join(SHARED_MEMORY_DIR, 'tally-run-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const program = join(folder, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o700 });
  if (spawnSync(program).status !== 0) {
    remove();
    return () => {};
  }
  // The mode equals that of /tmp, since a server that root starts runs as another user.
  await chmod(folder, 0o1777);
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  return () => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    remove();
  };
}
