/**
 * Builds a folder of dist/ where what it is made from has changed. Two builds at once do each other no harm: each
 * builds in a folder of its own and swaps it in by a rename.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** One folder of `dist`, and how it is made. */
interface BuiltFolder {
  dist: string;
  name: string;
  /**
   * Everything the build reads, as patterns from the repository on; tests are left out. The lock file stands for all
   * libraries.
   */
  inputs: readonly string[];
  /** A file that every whole build holds. */
  proof: string;
  /** Writes the whole folder; it does not exist yet. */
  make(folder: string): Promise<void>;
}

/** A digest over names and contents of all inputs. */
function digestOf(inputs: readonly string[]): string {
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

const targetOf = ({ dist, name }: BuiltFolder): string => join(dist, name);
const stampOf = ({ dist, name }: BuiltFolder): string => join(dist, `${name}.stamp`);

function isFresh(folder: BuiltFolder, digest: string): boolean {
  const stamp = stampOf(folder);
  return (
    existsSync(join(targetOf(folder), folder.proof)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
  );
}

/** Puts a finished folder in the place of the old one; where another process was faster, its build is as good. */
async function swapIn(built: string, folder: BuiltFolder, digest: string): Promise<void> {
  const target = targetOf(folder);
  for (let attempt = 1; ; attempt += 1) {
    const old = `${built}.old`;
    await rename(target, old).catch(ignoreMissing);
    try {
      await rename(built, target);
      await writeFile(`${built}.stamp`, digest);
      await rename(`${built}.stamp`, stampOf(folder));
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Removes what killed builds have left behind; a build takes seconds, so an hour is safe. */
async function dropAbandoned({ dist, name }: BuiltFolder): Promise<void> {
  for (const entry of await readdir(dist)) {
    if (!entry.startsWith(`.${name}-`)) continue;
    const { mtimeMs } = await stat(join(dist, entry)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 3_600_000) await rm(join(dist, entry), { recursive: true, force: true });
  }
}

/** Builds the folder unless `ifStale` and nothing has changed. Returns whether it built. */
export async function buildFolder(folder: BuiltFolder, { ifStale }: { ifStale: boolean }): Promise<boolean> {
  const digest = digestOf(folder.inputs);
  if (ifStale && isFresh(folder, digest)) return false;
  await mkdir(folder.dist, { recursive: true });
  await dropAbandoned(folder);
  const work = await mkdtemp(join(folder.dist, `.${folder.name}-`));
  try {
    const built = join(work, folder.name);
    await folder.make(built);
    await swapIn(built, folder, digest);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return true;
}
