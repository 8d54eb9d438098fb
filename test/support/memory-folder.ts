import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's folder in memory. */
const SHARED_MEMORY_DIR = '/dev/shm';

/** A new folder, in memory where there is room: a database is copied there in 26-53 ms, on disk in 82-93. */
export const createFolder = async (prefix: string): Promise<string> =>
  mkdtemp(join((await hasCapacity(SHARED_MEMORY_DIR)) ? SHARED_MEMORY_DIR : tmpdir(), prefix));

/** Whether a folder in memory is there and large enough to work in; in a container it may be as small as 64 MB. */
export async function hasCapacity(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => null);
  return found !== null && found.bavail * found.bsize > 2 * 2 ** 30;
}

/**
 * Lets this process and all that it starts keep temporary files in memory, where there is room and programs may run
 * there; returns what removes them. Tests make and remove many files, for which ext4 then looks long for a free inode:
 * what starts servers of its own took three times as long.
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
  // As /tmp: a server that root starts runs as another user.
  await chmod(folder, 0o1777);
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  return () => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    remove();
  };
}
