import { spawnSync } from 'node:child_process';
import type { Problem } from './problem.ts';
import type { Source } from './read-source.ts';

/** Code that git ignores: it works here and is missing from every clone. Finds nothing where there is no repository. */
export function findIgnored(root: string, sources: readonly Source[]): Problem[] {
  const input = sources.map(({ path }) => path).join('\n');
  // --no-index also names files that were added by force: the next one in that folder would be forgotten.
  const { status, stdout } = spawnSync('git', ['check-ignore', '--no-index', '--stdin'], {
    cwd: root,
    input,
    encoding: 'utf8',
  });
  if (status !== 0) return [];
  const message =
    'is ignored by .gitignore, so a fresh clone lacks it. Anchor the pattern ("/data/" rather than "data/") ' +
    'or move the file.';
  return stdout
    .trim()
    .split('\n')
    .map((path) => ({ path, rule: 'ignored', message }));
}
