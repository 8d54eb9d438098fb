import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './server-account.ts';
import { openForChild, spawnInFolder } from './child-folder.ts';

/** Superuser of an embedded server; only migrations use it. */
export const OWNER = 'tally_owner';
const PASSWORD_FILE = 'tally_owner_password';
const UNFINISHED_PREFIX = 'postgres.new-';

/** The server's own C.UTF-8 sorts the same on every machine; the system's has another name on macOS. */
const LOCALE = [
  ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ...(process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=UTF-8'] : ['--locale=C.UTF-8']),
];

interface ClusterOptions {
  dataDir: string;
  native: string;
  account: Account | null;
  /** A private folder that the account can reach, for the moment of creation. */
  scratch: string;
  /** Whether the files are forced to disk. */
  durable: boolean;
}

/** Folder of the cluster's files inside the data directory. */
export function getClusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

export const clusterExists = (dataDir: string): boolean => existsSync(join(getClusterFolder(dataDir), 'PG_VERSION'));

/** Made in a folder beside its place and moved there whole, so that a killed start leaves nothing half made. */
export async function createCluster({ dataDir, native, account, scratch, durable }: ClusterOptions): Promise<void> {
  const folder = await mkdtemp(join(dataDir, UNFINISHED_PREFIX));
  const password = randomBytes(24).toString('base64url');
  const passwordFile = join(scratch, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [folder, passwordFile]) await chown(path, account.uid, account.gid);
  try {
    await runInitdb(folder, native, account, [
      ...['-U', OWNER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', ...LOCALE],
      ...(durable ? [] : ['--no-sync']),
    ]);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await writeFile(join(folder, PASSWORD_FILE), password, { mode: 0o600 });
  await rename(folder, getClusterFolder(dataDir));
  if (!durable) return;
  await using parent = await open(dataDir, 'r');
  await parent.sync();
}

async function runInitdb(folder: string, native: string, account: Account | null, options: string[]): Promise<void> {
  const data = await openForChild(folder, account);
  try {
    const command = [join(native, 'bin/initdb'), '-D', data.path, '--no-instructions', ...options];
    const child = spawnInFolder(data, account, command, 'pipe');
    let errorOutput = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (errorOutput += chunk));
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    if (code !== 0) throw new Error(formatInitdbError(errorOutput, code));
  } finally {
    await data.close();
  }
}

function formatInitdbError(errorOutput: string, code: number | null): string {
  // The one thing that PostgreSQL asks of an account beside its number: an entry among the machine's users (a container
  // run with --user).
  const uid = /could not look up effective user ID (\d+)/.exec(errorOutput)?.[1];
  return uid === undefined
    ? `The embedded PostgreSQL could not be prepared: ${getLastLines(errorOutput) || `initdb ended with ${code}`}`
    : `The embedded PostgreSQL needs an account with a name, and user id ${uid} has no entry in /etc/passwd; ` +
        'add one, start as another user, or set DB_URL to a PostgreSQL of your own.';
}

/** What a program of PostgreSQL said last, in one line. */
export const getLastLines = (output: string): string => output.trim().split('\n').slice(-3).join(' ');

/** What starts that were killed have left; called under the data directory's lock. */
export async function removeUnfinished(dataDir: string): Promise<void> {
  const unfinished = (await readdir(dataDir)).filter((name) => name.startsWith(UNFINISHED_PREFIX));
  // An initdb without its parent may still write there for a moment: what cannot be removed now goes next time.
  await Promise.allSettled(
    unfinished.map((name) => rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 })),
  );
}

export async function readOwnerPassword(dataDir: string): Promise<string> {
  return readFile(join(getClusterFolder(dataDir), PASSWORD_FILE), 'utf8');
}
