import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT']);

/** Makes the data directory where it is missing. Throws one sentence that names it where it cannot be used. */
export function ensureDataDirectory(dataDir: string): void {
  try {
    ensureFolder(resolve(dataDir));
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw createDataDirectoryError(dataDir, error as NodeJS.ErrnoException);
  }
}

/** Node's own `recursive` never returns below a folder that takes none (making one in /proc is ENOENT). */
function ensureFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) ensureFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start made it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A file system error in the data directory as one sentence with what to do; any other error as it is. */
export function explainDataDirectoryError(dataDir: string, error: unknown): unknown {
  const { message, syscall, path = dataDir } = error as NodeJS.ErrnoException;
  // So say PostgreSQL's programs, with much around it.
  if (message.includes('No space left on device'))
    return createDataDirectoryError(dataDir, Object.assign(new Error(message), { code: 'ENOSPC' }));
  return syscall !== undefined && resolve(path).startsWith(resolve(dataDir))
    ? createDataDirectoryError(dataDir, error as NodeJS.ErrnoException)
    : error;
}

function createDataDirectoryError(dataDir: string, cause: NodeJS.ErrnoException): Error {
  const folder = `The data directory ${resolve(dataDir)}`;
  const sentence = DISK_FULL_CODES.has(cause.code ?? '')
    ? `${folder} has no room left (${cause.code}); make room on its disk or set DATA_DIR to another folder.`
    : `${folder} cannot be used by this account (${cause.code}); give it to the account or set DATA_DIR to another ` +
      'folder.';
  return new Error(sentence, { cause });
}
