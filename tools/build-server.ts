/**
 * Builds the program in dist/server: one file in place of a thousand TypeScript files, which halves the processor time
 * of a start. Each worker thread has a file of its own. Libraries stay in node_modules, and files that are read while
 * the service runs (migrations, data, package.json) stay where they are.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { buildFolder, DIST, type DistOptions, repository } from './build-folder.ts';

const INPUTS = [
  'cli/**/*.ts',
  'src/**/*.ts',
  'packages/token-counter/{src,data}/**/*',
  'tools/build-server.ts',
  'tsconfig/*.json',
];

/**
 * Rewrites the URLs that a source file builds from its own place. A worker's URL becomes that of its built file, and any
 * other keeps its target, seen from `folder`.
 */
function sourceUrls(folder: string): Plugin {
  return {
    name: 'source-urls',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(repository) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return;
      let urls = 0;
      const rewritten = code.replace(/new URL\('(\.[^']*)', import\.meta\.url\)/g, (_match, path: string) => {
        urls += 1;
        const target = resolve(dirname(id), path);
        const worker = /([\w-]+-worker)\.ts$/.exec(path)?.[1];
        if (worker === undefined) {
          const end = path.endsWith('/') ? '/' : '';
          return `new URL('${relative(folder, target)}${end}', import.meta.url)`;
        }
        this.emitFile({ type: 'chunk', id: target, fileName: `${worker}.js` });
        return `new URL('./${worker}.js', import.meta.url)`;
      });
      if (urls !== code.split('import.meta.url').length - 1)
        this.error('write every import.meta.url as new URL(<relative path>, import.meta.url)');
      // Every replacement stays on its line, so the source map keeps its lines.
      return { code: rewritten, map: null };
    },
  };
}

/** Node reads each map at the start, which takes 26 MB with the text of the sources and 0 without. */
async function removeSourcesOfMaps(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.map'))) {
    const { sourcesContent: _text, ...map } = JSON.parse(await readFile(join(folder, name), 'utf8')) as object & {
      sourcesContent?: unknown;
    };
    await writeFile(join(folder, name), JSON.stringify(map));
  }
}

/** Builds the program into `dist/server` unless `ifStale` is set and nothing has changed. Returns whether it built. */
export function buildServer({ ifStale, dist = DIST }: DistOptions): Promise<boolean> {
  const buildInto = async (built: string): Promise<void> => {
    const { build } = await import('vite');
    // Paths are relative to the place from which the program will run, not to the folder of this build.
    const folder = join(repository, 'dist/server');
    await build({
      configFile: false,
      root: repository,
      publicDir: false,
      logLevel: 'warn',
      plugins: [sourceUrls(folder)],
      build: {
        ssr: 'cli/main.ts',
        outDir: built,
        target: 'node24',
        sourcemap: true,
        rolldownOptions: {
          output: {
            entryFileNames: 'tally.js',
            // Shorter text takes 9 MB less. Names stay, since errors and logs show them.
            minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
            chunkFileNames: '[name]-[hash].js',
            sourcemapPathTransform: (path, map) => relative(folder, resolve(dirname(map), path)),
          },
        },
      },
    });
    await removeSourcesOfMaps(built);
  };
  return buildFolder({ dist, name: 'server', inputs: INPUTS, sentinelFile: 'tally.js', build: buildInto }, { ifStale });
}
