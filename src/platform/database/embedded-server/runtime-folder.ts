import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DataDirectoryError } from '../data-directory.ts';
import { type Account, canReach } from './server-account.ts';
import { copyNative, type NativeFolder, isNativeReachable, canRunBinaries } from './binaries.ts';

/**
 * Maximum length of a folder whose socket path (`/.s.PGSQL.5432`) works on every system: 104 bytes on macOS, 108 on
 * Linux.
 */
const MAX_PATH_LENGTH = 80;

interface RuntimeFolder {
  /** Private folder (0700) of the server's account, with the socket. */
  path: string;
  native: NativeFolder;
  remove(): Promise<void>;
}

/** Creates a short private folder for one run, with a copy of the programs if the account cannot reach npm's. */
export async function createRuntimeFolder(native: NativeFolder, account: Account | null): Promise<RuntimeFolder> {
  const reachable = await isNativeReachable(native, account);
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])) {
    if (parent.length > MAX_PATH_LENGTH || !(await canReach(parent, account))) continue;
    const path = await mkdtemp(join(parent, 'tally-')).catch(() => null);
    if (!path) continue;
    const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    if (account) await chown(path, account.uid, account.gid);
    await mkdir(join(path, 'socket'), { mode: 0o700 });
    if (account) await chown(join(path, 'socket'), account.uid, account.gid);
    if (reachable || !account) return { path, native, remove };
    const copy = await copyNative(native, join(path, 'native'), account);
    if (await canRunBinaries(copy, account)) return { path, native: copy, remove };
    await remove();
  }
  throw new DataDirectoryError(
    'No temporary folder was found for the embedded PostgreSQL: it must be short, writable and, ' +
      'where root starts the service, not mounted noexec; set TMPDIR.',
  );
}

/** Removes the folder of a run that was killed before its supervisor could remove it. */
export async function removeRuntimeFolder(path: string | undefined): Promise<void> {
  if (path && /^tally-\w{6}$/.test(basename(path))) await rm(path, { recursive: true, force: true }).catch(() => {});
}
