/** Builds the web app into dist/web. */
import { cp, link, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder, DIST, type DistOptions, repository } from './build-folder.ts';
import { compressAll } from './build-web/compress-all.ts';

const INPUTS = [
  'src/ui/**/*',
  'src/features/**/ui/**/*',
  'src/**/contract.ts',
  'packages/token-counter/{src,data}/**/*',
  'vite.config.ts',
  'tools/build-web.ts',
  'tools/build-web/**/*',
];

const ASSET_RETENTION_MS = 24 * 3_600_000;

/** Keeps the hashed files of the last day's builds, which a running server and open pages still request. */
async function linkRecentAssets(dist: string, built: string): Promise<void> {
  const old = join(dist, 'web', 'assets');
  for (const name of await readdir(old).catch(() => [])) {
    const { mtimeMs } = await stat(join(old, name)).catch(() => ({ mtimeMs: 0 }));
    // A hard link keeps the file's time. It fails for a file that the new build has too, which then stays.
    if (Date.now() - mtimeMs < ASSET_RETENTION_MS)
      await link(join(old, name), join(built, 'assets', name)).catch(() => undefined);
  }
}

/** Builds the web app into `dist/web` unless `ifStale` is set and nothing has changed. Returns whether it built. */
export function buildWeb({ ifStale, dist = DIST }: DistOptions): Promise<boolean> {
  const buildInto = async (built: string): Promise<void> => {
    const [{ build }, { buildApiReference }] = await Promise.all([
      import('vite'),
      import('./build-web/api-reference.ts'),
    ]);
    const { NODE_ENV } = process.env;
    // A test runner sets NODE_ENV, with which Vite would bundle React's development build.
    process.env['NODE_ENV'] = 'production';
    await build({ configFile: join(repository, 'vite.config.ts'), logLevel: 'warn', build: { outDir: built } });
    const reference = await buildApiReference({ dist });
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
    await compressAll(built);
    await cp(reference, built, { recursive: true });
    await linkRecentAssets(dist, built);
  };
  return buildFolder({ dist, name: 'web', inputs: INPUTS, sentinelFile: 'index.html', build: buildInto }, { ifStale });
}
