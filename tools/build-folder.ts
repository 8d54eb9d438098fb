/**
 * Builds a folder of dist/ when its inputs have changed. Two builds may run at once, since each builds in a temporary
 * folder and renames it into place.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** How to build a folder of `dist`. */
export interface DistOptions {
  /** Builds only when an input has changed. */
  ifStale: boolean;
  /** The folder in place of the repository's `dist`. */
  dist?: string;
}

export const DIST = join(repository, 'dist');

/** A folder of `dist` and how to build it. */
interface BuiltFolder {
  dist: string;
  name: string;
  /** Glob patterns of the files that the build reads. Tests are ignored, and the lock file is always an input. */
  inputs: readonly string[];
  /** A file that every complete build has. */
  sentinelFile: string;
  /** Builds into `folder`, which does not exist yet. */
  build(folder: string): Promise<void>;
}

/** Hashes the names and contents of all inputs. */
function computeDigest(inputs: readonly string[]): string {
  const files = globSync([...inputs, 'package-lock.json', 'tools/build-folder.ts'], {
    cwd: repository,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256').update(process.version);
  for (const file of new Set(files))
    hash.update(file.slice(repository.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

const getTargetPath = ({ dist, name }: BuiltFolder): string => join(dist, name);
const getStampPath = ({ dist, name }: BuiltFolder): string => join(dist, `${name}.stamp`);

function isFresh(folder: BuiltFolder, digest: string): boolean {
  const stamp = getStampPath(folder);
  return (
    existsSync(join(getTargetPath(folder), folder.sentinelFile)) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === digest
  );
}

const MAX_ATTEMPTS = 5;

/** Replaces the old folder by the new one. Retries when another build does the same at that moment. */
async function replaceTarget(built: string, folder: BuiltFolder, digest: string): Promise<void> {
  const target = getTargetPath(folder);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const old = `${built}.old`;
    await rename(target, old).catch(ignoreMissing);
    try {
      await rename(built, target);
      await writeFile(`${built}.stamp`, digest);
      await rename(`${built}.stamp`, getStampPath(folder));
      return;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Removes temporary folders that killed builds left behind. A build takes seconds, so an hour is safe. */
async function removeAbandoned({ dist, name }: BuiltFolder): Promise<void> {
  for (const entry of await readdir(dist)) {
    if (!entry.startsWith(`.${name}-`)) continue;
    const { mtimeMs } = await stat(join(dist, entry)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 3_600_000) await rm(join(dist, entry), { recursive: true, force: true });
  }
}

/** Builds the folder unless `ifStale` is set and nothing has changed. Returns whether it built. */
export async function buildFolder(folder: BuiltFolder, { ifStale }: { ifStale: boolean }): Promise<boolean> {
  const digest = computeDigest(folder.inputs);
  if (ifStale && isFresh(folder, digest)) return false;
  await mkdir(folder.dist, { recursive: true });
  await removeAbandoned(folder);
  const workFolder = await mkdtemp(join(folder.dist, `.${folder.name}-`));
  try {
    const built = join(workFolder, folder.name);
    await folder.build(built);
    await replaceTarget(built, folder, digest);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
  return true;
}
