/**
 * Builds the web app into dist/web. `--if-stale` builds only where the sources have changed since the last build;
 * two starts at once do each other no harm: each builds in a folder of its own and swaps it in by a rename.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** Everything the build reads. The lock file stands for all libraries. */
const INPUTS = ['src/web/**/*', 'src/*/web/**/*', 'src/**/contract.ts', 'src/token-counting/counter/**/*', 'vite.config.ts', 'package-lock.json', 'scripts/build-web.ts', 'scripts/build-web/**/*'];

/** A digest over names and contents of all inputs. */
function digestOfInputs(): string {
  const files = globSync(INPUTS, { cwd: repository, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256').update(process.version);
  for (const file of new Set(files)) hash.update(file.slice(repository.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

const targetIn = (dist: string): string => join(dist, 'web');
const stampIn = (dist: string): string => join(dist, 'web.stamp');

function isFresh(dist: string, digest: string): boolean {
  const stamp = stampIn(dist);
  return existsSync(join(targetIn(dist), 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes a .br and a .gz beside each text file, so that no request waits for a compressor. */
async function compressAll(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(js|css|html|svg|json|webmanifest)$/.test(file));
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(join(folder, file));
      const [br, gz] = await Promise.all([
        brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
        zip(bytes, { level: 9 }),
      ]);
      await Promise.all([writeFile(join(folder, `${file}.br`), br), writeFile(join(folder, `${file}.gz`), gz)]);
    }),
  );
}

const KEPT_MS = 24 * 3_600_000;

/** Carries over the last day's hashed files: a running server and open pages still ask for those of the build before. */
async function keepRecent(dist: string, built: string): Promise<void> {
  const old = join(targetIn(dist), 'assets');
  for (const name of await readdir(old).catch(() => [])) {
    const { mtimeMs } = await stat(join(old, name)).catch(() => ({ mtimeMs: 0 }));
    // A hard link keeps the time, so that each file ages; one that the new build has as well stays the new build's.
    if (Date.now() - mtimeMs < KEPT_MS) await link(join(old, name), join(built, 'assets', name)).catch(() => undefined);
  }
}

/** Puts a finished folder in the place of the old one; where another process was faster, its build is as good. */
async function swapIn(built: string, dist: string, digest: string): Promise<void> {
  const target = targetIn(dist);
  for (let attempt = 1; ; attempt += 1) {
    const old = `${built}.old`;
    await rename(target, old).catch(ignoreMissing);
    try {
      await rename(built, target);
      await writeFile(`${built}.stamp`, digest);
      await rename(`${built}.stamp`, stampIn(dist));
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
async function dropAbandoned(dist: string): Promise<void> {
  for (const name of await readdir(dist)) {
    if (!name.startsWith('.web-')) continue;
    const { mtimeMs } = await stat(join(dist, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 3_600_000) await rm(join(dist, name), { recursive: true, force: true });
  }
}

/** Builds the web app into `dist/web` unless `ifStale` and nothing has changed. Returns whether it built. */
export async function buildWeb({ ifStale, dist = join(repository, 'dist') }: { ifStale: boolean; dist?: string }): Promise<boolean> {
  const digest = digestOfInputs();
  if (ifStale && isFresh(dist, digest)) return false;
  await mkdir(dist, { recursive: true });
  await dropAbandoned(dist);
  const folder = await mkdtemp(join(dist, '.web-'));
  try {
    const { build } = await import('vite');
    const built = join(folder, 'web');
    await build({ configFile: join(repository, 'vite.config.ts'), logLevel: 'warn', build: { outDir: built } });
    await compressAll(built);
    await keepRecent(dist, built);
    await swapIn(built, dist, digest);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return true;
}

if (import.meta.main) {
  const began = performance.now();
  const built = await buildWeb({ ifStale: process.argv.includes('--if-stale') });
  if (built) process.stderr.write(`web app built in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
}
