import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseOptions } from './run/parse-options.ts';
import { runStep, type StepResult } from './run/step.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The checks that do not run the product, by name, with their commands. */
const checks: Record<string, string[]> = {
  // Each thread would load the same types, which takes twice the processor time.
  types: ['node_modules/typescript/bin/tsc', '--build', '--singleThreaded'],
  lint: ['node_modules/oxlint/bin/oxlint', '--quiet', '--report-unused-disable-directives-severity', 'error', '.'],
  format: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'],
  imports: [
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    'src',
    'cli',
    'test',
    'tools',
    'packages',
    'bench',
    'bin',
  ],
  unused: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'],
  'owners of tables': ['tools/check/check-table-ownership.ts'],
  'names in pages exist': ['tools/check/check-references.ts'],
  'documents are fresh': ['tools/generate.ts', '--check'],
  'OpenAPI is sound': ['tools/lint-openapi.ts'],
  'schema is fresh': ['tools/dump-schema.ts', '--check'],
  'characters are fresh': ['packages/token-counter/research/generate-character-classes.ts', '--check'],
};

/**
 * Settings of the Go runtime for compiler and linter. One thread and rare garbage collection halve their processor time
 * (types 27 to 14 s, lint 27 to 15 s).
 */
const GO_SETTINGS = { GOGC: '800', GOMEMLIMIT: '3GiB', GOMAXPROCS: '1' };

/** Runs all checks at once, prints a line for each and the output of failed ones, and returns whether all passed. */
export async function check(signal?: AbortSignal): Promise<boolean> {
  const started = performance.now();
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, args]) => {
      const missing = existsSync(join(root, args[0]!))
        ? undefined
        : `${args[0]} is missing. Run npm ci, or correct the path in tools/check.ts.\n`;
      const result: StepResult = missing
        ? { name, ok: false, output: missing, seconds: 0 }
        : await runStep(name, args, { cwd: root, env: { ...GO_SETTINGS, ...process.env }, ...(signal && { signal }) });
      console.log(`${result.ok ? 'ok    ' : 'FAILED'} ${name.padEnd(22)} ${result.seconds.toFixed(1)} s`);
      return result;
    }),
  );
  const failed = results.filter((result) => !result.ok);
  for (const { name, output } of failed) console.error(`\n--- ${name}\n${output.trimEnd()}`);
  console.log(
    `${results.length - failed.length} checks passed, ${failed.length} failed, ` +
      `${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  return failed.length === 0;
}

if (import.meta.main) {
  parseOptions({ usage: 'npm run check runs all checks that do not run the product.' });
  process.exitCode = (await check()) ? 0 : 1;
}
