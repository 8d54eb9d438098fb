import { DatabaseSync } from 'node:sqlite';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError, DataDirectoryUnavailable, explainDataDirectoryError } from '../data-directory.ts';

/** Thrown when another process holds the data directory. It may be a command, which ends by itself. */
export class DataDirectoryInUse extends DataDirectoryUnavailable {
  override readonly name = 'DataDirectoryInUse';

  constructor(dataDir: string, pid: number | null) {
    super(
      `The data directory ${dataDir} is in use by ${pid ? `the process ${pid}` : 'another process'}; ` +
        'stop it first, or set DATA_DIR to another folder.',
    );
  }
}

/** Data that the holder publishes, so that the command line can use its server. */
interface Holder {
  pid: number;
  /** Private folder of the run, which the next holder removes if this one was killed. */
  runtime?: string;
  /** Absent until the server is ready. */
  socketDir?: string;
}

export interface DataLock {
  /** Data of the previous holder, which has exited. */
  previous: Holder | null;
  publish(holder: Holder): Promise<void>;
  release(): void;
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_NOTADB = 26;
/** The bits of a result code without those that name a variant. */
const PRIMARY_CODE = 0xff;
/** SQLITE_READONLY and SQLITE_CANTOPEN: the file belongs to another account, such as root's after a command of root. */
const DENIED_CODES = new Set([8, 14]);

/**
 * Locks the data directory for this process, or throws `DataDirectoryInUse` at once. Node has no file locks, so an
 * exclusive SQLite transaction is used. The kernel releases it when the process ends in any way.
 */
export async function lockDataDirectory(dataDir: string): Promise<DataLock> {
  const path = join(dataDir, 'postgres.lock');
  const lock = new DatabaseSync(path, { open: false });
  try {
    lock.open();
    // A file that this account may not write is opened for reading and locked by nothing, so the last statement writes.
    lock.exec(
      'pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive; pragma user_version = 1',
    );
  } catch (error) {
    if (lock.isOpen) lock.close();
    const { errcode = 0 } = error as { errcode?: number };
    if (DENIED_CODES.has(errcode & PRIMARY_CODE))
      throw new DataDirectoryError(`${path} cannot be opened by this account: change its owner.`, { cause: error });
    if (errcode === SQLITE_NOTADB)
      throw new DataDirectoryError(`${path} is damaged: remove it when no process uses the data directory.`, {
        cause: error,
      });
    if (![SQLITE_BUSY, SQLITE_LOCKED].includes(errcode)) throw error;
    throw new DataDirectoryInUse(dataDir, (await readHolder(dataDir))?.pid ?? null);
  }
  const previous = await readHolder(dataDir);
  // Written atomically. A process that is killed during the write leaves its former entry for the next clean-up.
  const publish = async (holder: Holder): Promise<void> => {
    const draft = join(dataDir, 'postgres.holder.new');
    await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
    await rename(draft, join(dataDir, 'postgres.holder.json'));
  };
  try {
    await publish({ pid: process.pid });
  } catch (error) {
    lock.close();
    throw explainDataDirectoryError(dataDir, error);
  }
  return { previous, publish, release: () => lock.close() };
}

export async function readHolder(dataDir: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(join(dataDir, 'postgres.holder.json'), 'utf8')) as Holder;
  } catch {
    return null; // the file does not exist yet
  }
}
