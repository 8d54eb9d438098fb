/**
 * Builds the token counter's package in packages/token-counter/dist: plain JavaScript and type declarations, file by
 * file, since Node strips no types below node_modules. `--if-stale` builds only when the sources have changed. `--out
 * <folder>` writes `dist` there. `--if-possible` builds nothing without the compiler (`npm ci --omit=dev`).
 */
import { existsSync, globSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder, repository } from './build-folder.ts';
import { parseOptions } from './run/parse-options.ts';
import { runStep } from './run/step.ts';

const COUNTER = join(repository, 'packages/token-counter');
const COMPILER = 'node_modules/typescript/bin/tsc';
const INPUTS = ['packages/token-counter/{src,data}/**/*', 'tsconfig/*.json', 'tools/build-library.ts'];

/** Compiles what index.ts imports into `folder`, and copies the data files, which are JavaScript already. */
async function compile(folder: string): Promise<void> {
  const args = [COMPILER, '-p', 'tsconfig/library.json', '--outDir', folder];
  const { ok, output } = await runStep('library', args, { cwd: repository });
  if (!ok) throw new Error(`the library does not compile:\n${output}`);
  const data = globSync(['data/*.js', 'data/*.d.ts'], { cwd: COUNTER });
  await Promise.all(data.map((file) => copyFile(join(COUNTER, file), join(folder, file))));
}

/** Builds the library's `dist` unless `ifStale` is set and nothing has changed. Returns whether it built. */
export function buildLibrary({ ifStale, out = COUNTER }: { ifStale: boolean; out?: string }): Promise<boolean> {
  return buildFolder(
    { dist: out, name: 'dist', inputs: INPUTS, sentinelFile: 'data/vocabulary-v3.js', build: compile },
    { ifStale },
  );
}

/** Returns whether the compiler is installed, which `npm ci --omit=dev` leaves out. */
export function toolsAreInstalled(): boolean {
  return existsSync(join(repository, COMPILER));
}

if (import.meta.main) {
  const { values } = parseOptions({
    usage: 'npx node tools/build-library.ts [--if-stale] [--if-possible] [--out FOLDER] builds the library.',
    options: {
      'if-stale': { type: 'boolean', default: false },
      'if-possible': { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  });
  const startedAt = performance.now();
  const possible = !values['if-possible'] || toolsAreInstalled();
  const built =
    possible &&
    (await buildLibrary({ ifStale: values['if-stale'], ...(values.out !== undefined && { out: values.out }) }));
  if (built) process.stderr.write(`library built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
}
