import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DISK_FULL_LINE, isLocalDiskFull } from './disk-full.ts';

/**
 * Folder of a restore inside the data directory. The data directory may be a mount point, onto which nothing can be
 * renamed.
 */
export const RESTORE_FOLDER = 'restoring';

/** Returns whether a restore into the data directory has not finished. Its last step moves the database there. */
export const isRestoreUnfinishedIn = (dataDir: string): boolean =>
  existsSync(join(dataDir, RESTORE_FOLDER)) && !existsSync(getClusterFolder(dataDir));

/** Returns the folder of the embedded database's files. */
export const getClusterFolder = (dataDir: string): string => join(dataDir, 'postgres');

/** Returns whether the data directory has an embedded database. An empty folder has none, such as that of a lost volume. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  try {
    return statSync(join(getClusterFolder(dataDir), 'PG_VERSION'), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A folder of another account is not missing.
    throw explainDataDirectoryError(dataDir, error);
  }
}

/** Creates the data directory if it is missing. Throws one sentence that names it if it cannot be used. */
export function ensureDataDirectory(dataDir: string): void {
  try {
    ensureFolder(resolve(dataDir));
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw createDataDirectoryError(dataDir, error as NodeJS.ErrnoException);
  }
}

/** Throws one sentence that names the data directory if it cannot be created or used. Creates nothing. */
export function assertDataDirectoryUsable(dataDir: string): void {
  let folder = resolve(dataDir);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    // A file has no entry with this name.
    accessSync(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw createDataDirectoryError(dataDir, error as NodeJS.ErrnoException);
  }
}

/** Node's own `recursive` never returns if a parent accepts no folders (ENOENT in /proc). */
function ensureFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) ensureFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start has created the folder at that moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Returns a file system error in the data directory as one sentence with a remedy. Returns any other error unchanged.
 */
export function explainDataDirectoryError(dataDir: string, error: unknown): unknown {
  const { message, syscall, path = dataDir } = error as NodeJS.ErrnoException;
  // PostgreSQL's programs include this text in a longer message.
  if (DISK_FULL_LINE.test(message))
    return createDataDirectoryError(dataDir, Object.assign(new Error(message), { code: 'ENOSPC' }));
  return syscall !== undefined && resolve(path).startsWith(resolve(dataDir))
    ? createDataDirectoryError(dataDir, error as NodeJS.ErrnoException)
    : error;
}

/**
 * Thrown if DATA_DIR or its database cannot be used until an operator changes something. Its message is one sentence
 * with a remedy.
 */
export class DataDirectoryError extends Error {}

/**
 * Thrown if DATA_DIR cannot be used now, and a later attempt may succeed without a change of the settings: its disk is
 * full, or another process uses it.
 */
export class DataDirectoryUnavailable extends Error {}

function createDataDirectoryError(dataDir: string, cause: NodeJS.ErrnoException): Error {
  const folder = `The data directory ${resolve(dataDir)}`;
  if (cause.code === 'ENOTEMPTY' || cause.code === 'EEXIST')
    return new DataDirectoryError(
      `${folder} holds files that are no database of Tally; set DATA_DIR to another folder.`,
      {
        cause,
      },
    );
  if (isLocalDiskFull(cause))
    return new DataDirectoryUnavailable(
      `${folder} is on a full disk (${cause.code}); free space or set DATA_DIR to another folder.`,
      { cause },
    );
  const remedy = cause.code === 'EROFS' ? 'make it writable, with systemd by ReadWritePaths=,' : 'change its owner';
  return new DataDirectoryError(
    `${folder} cannot be used by this account (${cause.code}); ${remedy} or set DATA_DIR to another folder.`,
    { cause },
  );
}
