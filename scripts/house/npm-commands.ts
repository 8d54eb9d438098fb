import type { Problem } from './problem.ts';
import type { TextFile } from './tree.ts';

const COMMAND = /\bnpm run (?<script>[a-z][\w-]*(?::[\w-]+)*)(?: -- (?<name>[a-z][\w-]*))?/g;

/**
 * Commands that a page, a comment or a message names and that `package.json` or bench/ does not have. A
 * changelog and migrations tell of what was there when they were written.
 */
export function findUnknownCommands(files: readonly TextFile[]): Problem[] {
  const manifest = files.find(({ path }) => path === 'package.json');
  const parsed = JSON.parse(manifest?.text ?? '{}') as { scripts?: Record<string, string> };
  const scripts = new Set(Object.keys(parsed.scripts ?? {}));
  const benchmarks = new Set(files.flatMap(({ path }) => /^bench\/([\w-]+)\.ts$/.exec(path)?.[1] ?? []));
  const isKnown = (script: string, name: string | undefined): boolean => {
    if (!scripts.has(script)) return false;
    return name === undefined || script !== 'bench' || benchmarks.has(name);
  };
  const current = files.filter(({ path }) => path !== 'CHANGELOG.md' && !path.startsWith('db/migrations/'));
  return current.flatMap(({ path, text }) =>
    text.split('\n').flatMap((content, index) =>
      [...content.matchAll(COMMAND)]
        .filter(({ groups }) => !isKnown(groups!['script']!, groups!['name']))
        .map(([command]) => ({
          path,
          line: index + 1,
          rule: 'commands',
          message: `names "${command}", which is not there. See package.json and bench/.`,
        })),
    ),
  );
}
