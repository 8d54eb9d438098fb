import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError, DataDirectoryUnavailable, getClusterFolder } from '../data-directory.ts';
import { DISK_FULL_LINE } from '../disk-full.ts';
import { renameDurably, writeFileDurably } from '../durable-files.ts';
import type { Account } from './server-account.ts';
import { openForChild, spawnInFolder } from './child-folder.ts';

/** Superuser of an embedded server, used only by migrations. */
export const OWNER = 'tally_owner';
const PASSWORD_FILE = 'tally_owner_password';
const UNFINISHED_PREFIX = 'postgres.new-';

/** PostgreSQL's built-in C.UTF-8 sorts equally on every machine. The system's locale has another name on macOS. */
const LOCALE = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  ...(process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=UTF-8'] : ['--locale=C.UTF-8']),
];

interface ClusterOptions {
  dataDir: string;
  native: string;
  account: Account | null;
  /** A private folder that the account can reach, used during creation. */
  scratch: string;
  /** Whether `initdb` syncs its files to disk. */
  durable: boolean;
}

/**
 * Creates the cluster in a folder beside its place and renames it, so that a killed start leaves nothing incomplete.
 */
export async function createCluster({ dataDir, native, account, scratch, durable }: ClusterOptions): Promise<void> {
  const folder = await mkdtemp(join(dataDir, UNFINISHED_PREFIX));
  const password = randomBytes(24).toString('base64url');
  const passwordFile = join(scratch, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [folder, passwordFile]) await chown(path, account.uid, account.gid);
  try {
    await runInitdb(folder, native, account, [
      '-U',
      OWNER,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      ...LOCALE,
      ...(durable ? [] : ['--no-sync']),
    ]);
  } finally {
    await rm(passwordFile, { force: true });
  }
  writeFileDurably(join(folder, PASSWORD_FILE), password);
  renameDurably(folder, getClusterFolder(dataDir));
}

async function runInitdb(folder: string, native: string, account: Account | null, options: string[]): Promise<void> {
  const data = await openForChild(folder, account);
  try {
    const command = [join(native, 'bin/initdb'), '-D', data.path, '--no-instructions', ...options];
    const child = spawnInFolder(data, account, command, 'pipe');
    let errorOutput = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      errorOutput += chunk;
    });
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    if (code !== 0) throw createServerError(formatInitdbError(errorOutput, code), errorOutput);
  } finally {
    await data.close();
  }
}

function formatInitdbError(errorOutput: string, code: number | null): string {
  // PostgreSQL needs an entry for the account in the machine's user list. A container with --user may lack one.
  const uid = /could not look up effective user ID (\d+)/.exec(errorOutput)?.[1];
  return uid === undefined
    ? `Failed to create the embedded PostgreSQL: ${summarizeOutput(errorOutput) || `initdb exited with ${code}`}`
    : `The embedded PostgreSQL needs an account with a name, and user id ${uid} has no entry in /etc/passwd; ` +
        'add one, start as another user, or set DB_URL to a PostgreSQL of your own.';
}

/**
 * Returns the line of a PostgreSQL program's output about a full disk, or else the first one that names why the program
 * ended, or else its last lines as one line. Lines of the server's log lose their time and process.
 */
export function summarizeOutput(output: string): string {
  const [diskFull] = DISK_FULL_LINE.exec(output) ?? [];
  if (diskFull !== undefined) return diskFull;
  const [reason] = /\b(?:FATAL|PANIC): .*/.exec(output) ?? [];
  return reason ?? output.trim().split('\n').slice(-3).join(' ');
}

/** Output of PostgreSQL's programs about what others may release (memory, files, a former server), or about a stop. */
const MAY_PASS =
  /still in use|already exists|out of memory|Cannot allocate memory|Too many open files|Resource temporarily|shutdown request|signal 9/;

/** Returns the error of a PostgreSQL program that failed with this output. Without any it was killed. */
export const createServerError = (message: string, output: string): Error =>
  output.trim() === '' || MAY_PASS.test(output)
    ? new DataDirectoryUnavailable(message)
    : new DataDirectoryError(message);

/** Removes folders of killed starts. Called under the data directory's lock. */
export async function removeUnfinished(dataDir: string): Promise<void> {
  const unfinished = (await readdir(dataDir)).filter((name) => name.startsWith(UNFINISHED_PREFIX));
  // An orphaned initdb may still write there. The next start removes what cannot be removed now.
  await Promise.allSettled(
    unfinished.map((name) => rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 })),
  );
}

/** Returns the password of the superuser. Throws `DataDirectoryError` if its file is lost or damaged. */
export async function readOwnerPassword(dataDir: string): Promise<string> {
  const path = join(getClusterFolder(dataDir), PASSWORD_FILE);
  const password = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (/^[\w-]{32}$/.test(password)) return password;
  throw new DataDirectoryError(`${path} is missing or damaged: restore a backup into another DATA_DIR.`);
}
