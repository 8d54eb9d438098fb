import { DatabaseSync } from 'node:sqlite';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Another process holds the data directory. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';

  constructor(dataDir: string, pid: number | null) {
    super(
      `The data directory ${dataDir} is in use by ${pid ? `the process ${pid}` : 'another process'}; ` +
        'stop that one first, or set DATA_DIR to another folder.',
    );
  }
}

/** What the holder tells others, so that the command line can use its server. */
interface Holder {
  pid: number;
  /** Private folder of the run, for the next one to remove where this one was killed. */
  runtime?: string;
  /** Absent until the server is ready. */
  socketDir?: string;
}

export interface DataLock {
  /** What the holder before us had said; it is dead. */
  previous: Holder | null;
  publish(holder: Holder): Promise<void>;
  release(): void;
}

/**
 * Takes the data directory for this process, or throws `DataDirectoryInUse` at once. Node has no file locks of its own;
 * SQLite's exclusive transaction is one of the kernel's: atomic, and gone with the process however it dies.
 */
export async function lockDataDirectory(dataDir: string): Promise<DataLock> {
  const lock = new DatabaseSync(join(dataDir, 'postgres.lock'));
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    if (![5, 6].includes((error as { errcode?: number }).errcode ?? 0)) throw error; // SQLITE_BUSY, SQLITE_LOCKED
    throw new DataDirectoryInUse(dataDir, (await readHolder(dataDir))?.pid ?? null);
  }
  const previous = await readHolder(dataDir);
  // Written whole or not at all: a process killed meanwhile leaves its former entry, by which the next one tidies up.
  const publish = async (holder: Holder): Promise<void> => {
    const draft = join(dataDir, 'postgres.holder.new');
    await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
    await rename(draft, join(dataDir, 'postgres.holder.json'));
  };
  await publish({ pid: process.pid });
  return { previous, publish, release: () => lock.close() };
}

export async function readHolder(dataDir: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(join(dataDir, 'postgres.holder.json'), 'utf8')) as Holder;
  } catch {
    return null; // not there yet
  }
}
