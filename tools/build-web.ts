/** Builds the web app into dist/web. */
import { link, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildFolder, DIST, type DistOptions, repository } from './build-folder.ts';

const INPUTS = [
  'src/ui/**/*',
  'src/features/**/ui/**/*',
  'src/**/contract.ts',
  'packages/token-counter/{src,data}/**/*',
  'vite.config.ts',
  'tools/build-web.ts',
  'tools/build-web/**/*',
];

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes a .br and a .gz beside each text file, so that no request waits for a compressor. */
async function compressAll(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((file) =>
    /\.(js|css|html|svg|json|webmanifest)$/.test(file),
  );
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(join(folder, file));
      const [br, gz] = await Promise.all([
        brotli(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
        zip(bytes, { level: 9 }),
      ]);
      await Promise.all([writeFile(join(folder, `${file}.br`), br), writeFile(join(folder, `${file}.gz`), gz)]);
    }),
  );
}

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
    const { build } = await import('vite');
    const { NODE_ENV } = process.env;
    // A test runner sets NODE_ENV, with which Vite would bundle React's development build.
    process.env['NODE_ENV'] = 'production';
    await build({ configFile: join(repository, 'vite.config.ts'), logLevel: 'warn', build: { outDir: built } });
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
    await compressAll(built);
    await linkRecentAssets(dist, built);
  };
  return buildFolder({ dist, name: 'web', inputs: INPUTS, sentinelFile: 'index.html', build: buildInto }, { ifStale });
}
