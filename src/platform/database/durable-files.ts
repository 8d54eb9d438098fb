import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file that survives a power loss, appears complete or not at all, and that only its owner can read. An
 * existing file is replaced, or stays if `replace` is false.
 */
export function writeFileDurably(path: string, content: string | Uint8Array, { replace = true } = {}): void {
  const draft = join(dirname(path), `.${basename(path)}-${randomUUID()}`);
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
    // The option `flush` of Node's function has no effect on a string.
    syncFile(draft);
    if (replace) renameSync(draft, path);
    else linkUnlessExists(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(path));
}

/** Renames a file or folder whose content is on disk, so that its new name survives a power loss. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Syncs the files of a folder without subfolders to disk, and their names. */
export function syncFolderContent(folder: string): void {
  for (const name of readdirSync(folder)) syncFile(join(folder, name));
  syncFolder(folder);
}

function linkUnlessExists(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Syncs a file. Windows requires that it is open for writing. */
const syncFile = (path: string): void => sync(path, 'r+');

/** Errors of systems on which this account cannot open or sync a folder. PostgreSQL ignores them too. */
const FOLDER_SYNC_ERRORS = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'EPERM']);

/** Syncs the names in a folder, where the system can do so. */
function syncFolder(path: string): void {
  try {
    sync(path, 'r');
  } catch (error) {
    if (!FOLDER_SYNC_ERRORS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function sync(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
