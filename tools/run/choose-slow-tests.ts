import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/** How a test is tagged as slow: a whole file or a test of Vitest, and a test of Playwright. */
const SLOW_TAG = /^\/\/ @module-tag slow$|tags: \[[^\]]*'slow'|'@slow'/m;

/** Files that every test uses without importing them: migrations, installed packages, settings and setup of runners. */
const USED_BY_ALL =
  /^(db\/|package-lock\.json$|(vitest|playwright)\.config\.ts$|test\/support\/((global|browser)-setup|each-test)\.ts$)/;

/** Code that only browsers load, from the built web app. */
const SCREENS = /^src\/(ui|features\/[^/]+\/ui)\/.*(?<!\.test\.ts)$/;

const isBrowserTest = (file: string): boolean => file.endsWith('.e2e.ts');

/** Which slow test files run for a change. */
export interface ChosenTests {
  /** The commit before the change. */
  base: string;
  commit: string;
  /** Files that changed, or whose imports did. */
  changed: string[];
  /** A tenth of the other files, another one for each commit. */
  tenth: string[];
  /** The other files, which the nightly run has. */
  rest: string[];
}

/** Returns the files with slow tests below `root`, as paths from there. */
export function listSlowTests(root: string = repository): string[] {
  return globSync('{src,cli,tools,packages,test,bench}/**/*.{test,e2e}.ts', { cwd: root, exclude: ['**/node_modules'] })
    .filter((file) => SLOW_TAG.test(readFileSync(join(root, file), 'utf8')))
    .sort();
}

/**
 * Chooses the slow test files for what changed in the repository `root` since `base`: those that changed, those whose
 * imports did, and a tenth of the others. Without a `base` that this clone has, all commits of the day before the
 * newest one are the change.
 */
export function chooseSlowTests({
  root = repository,
  base: given,
}: { root?: string; base?: string | undefined } = {}): ChosenTests {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  const commit = git('rev-parse', 'HEAD');
  const base = findBase(git, given);
  const changes = git('diff', '--name-only', '--no-renames', '-z', base).split('\0').filter(Boolean);
  const files = listSlowTests(root);
  const importers = changes.length > 0 ? listImporters(root, files, base) : new Set<string>();
  const changed = files.filter(
    (file) =>
      changes.includes(file) ||
      importers.has(file) ||
      changes.some((change) => USED_BY_ALL.test(change) || (isBrowserTest(file) && SCREENS.test(change))),
  );
  const others = files.filter((file) => !changed.includes(file));
  const hash = (file: string): string => createHash('sha256').update(`${commit} ${file}`).digest('hex');
  const tenth = others
    .toSorted((one, other) => (hash(one) < hash(other) ? -1 : 1))
    .slice(0, Math.ceil(others.length / 10))
    .sort();
  return { base, commit, changed, tenth, rest: others.filter((file) => !tenth.includes(file)) };
}

/** Returns the commit that a change is compared with, or the empty tree if the history is younger than a day. */
function findBase(git: (...args: string[]) => string, given: string | undefined): string {
  if (given) {
    try {
      return git('rev-parse', '--verify', '--quiet', `${given}^{commit}`);
    } catch {
      console.warn(`This clone has no commit ${given}.`);
    }
  }
  const dayBefore = Number(git('show', '--no-patch', '--format=%ct', 'HEAD')) - 86_400;
  return (
    git('rev-list', '--max-count=1', `--before=${dayBefore}`, 'HEAD') || git('hash-object', '-t', 'tree', '/dev/null')
  );
}

/** Returns those of the files that import a file which changed since `base`, also through others. */
function listImporters(root: string, files: readonly string[], base: string): Set<string> {
  const program = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const config = join(repository, '.dependency-cruiser.mjs');
  const args = [program, '--config', config, '--output-type', 'json', '--affected', base, ...files];
  const output = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 });
  const { modules } = JSON.parse(output) as { modules: { source: string }[] };
  return new Set(modules.map(({ source }) => source));
}
