/**
 * Builds the token counter as a package in dist/token-counter: one JavaScript file, its types, and a package.json
 * without the service's dependencies. It needs a build, since Node strips no types below node_modules. `--if-stale`
 * builds only when the sources have changed. `--out <folder>` builds there instead of in dist/. `--if-possible` builds
 * nothing when the build tools are not installed (`npm ci --omit=dev`).
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFolder, repository } from './build-folder.ts';
import { runStep } from './run/step.ts';

const INPUTS = [
  'packages/token-counter/src/**/*',
  'LICENSE',
  'tsconfig/*.json',
  'tools/build-library.ts',
  'tools/build-library/*',
];

const BANNER = '// Built from packages/token-counter/src by `npm run build`; do not edit.';

/** Bundles all modules into one file. It is not minified, since that made loading no faster. */
async function bundle(folder: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    configFile: false,
    publicDir: false,
    root: repository,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      reportCompressedSize: false,
      lib: { entry: 'packages/token-counter/src/index.ts', formats: ['es'], fileName: () => 'index.js' },
      rolldownOptions: { output: { banner: BANNER } },
    },
  });
}

/** Writes the type declarations of what index.ts exports into `folder`. */
async function declareTypes(folder: string): Promise<void> {
  const all = `${folder}.all`;
  const args = ['node_modules/typescript/bin/tsc', '-p', 'tools/build-library/tsconfig.json', '--outDir', all];
  const { ok, output } = await runStep('declarations', args, { cwd: repository });
  if (!ok) throw new Error(`the counter's types could not be written:\n${output}`);
  await copyDeclarations(all, folder, 'index.d.ts', new Set());
  await rm(all, { recursive: true });
}

/**
 * Copies a declaration file and, again and again, those that it imports. Internal files that no public type needs are
 * left out. Imports of .ts become imports of .js.
 */
async function copyDeclarations(from: string, to: string, file: string, copied: Set<string>): Promise<void> {
  if (copied.has(file)) return;
  copied.add(file);
  const text = await readFile(join(from, file), 'utf8');
  await mkdir(dirname(join(to, file)), { recursive: true });
  await writeFile(join(to, file), text.replaceAll(/(?<=')(\.\.?\/[^']+)\.ts(?=')/g, '$1.js'));
  for (const [, imported = ''] of text.matchAll(/'(\.\.?\/[^']+)\.ts'/g))
    await copyDeclarations(from, to, join(dirname(file), `${imported}.d.ts`), copied);
}

/** Adds the package.json of the library, which has a version of its own, its README and the licence. */
async function copyPackageFiles(folder: string): Promise<void> {
  const files = ['tools/build-library/package.json', 'tools/build-library/README.md', 'LICENSE'];
  await Promise.all(files.map((file) => copyFile(join(repository, file), join(folder, basename(file)))));
}

/** Builds the library into `dist/token-counter` unless `ifStale` and nothing has changed. Returns whether it built. */
export function buildLibrary({
  ifStale,
  dist = join(repository, 'dist'),
}: {
  ifStale: boolean;
  dist?: string;
}): Promise<boolean> {
  const make = async (built: string): Promise<void> => {
    await Promise.all([bundle(built), declareTypes(join(built, 'types'))]);
    await copyPackageFiles(built);
  };
  return buildFolder({ dist, name: 'token-counter', inputs: INPUTS, proof: 'index.js', make }, { ifStale });
}

/** Whether the build tools are installed, which `npm ci --omit=dev` leaves out. */
export function toolsAreInstalled(): boolean {
  return ['vite', 'typescript'].every((name) => existsSync(join(repository, 'node_modules', name)));
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      'if-stale': { type: 'boolean', default: false },
      'if-possible': { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  });
  const began = performance.now();
  const possible = !values['if-possible'] || toolsAreInstalled();
  const built =
    possible &&
    (await buildLibrary({ ifStale: values['if-stale'], ...(values.out !== undefined && { dist: values.out }) }));
  if (built) process.stderr.write(`library built in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
}
