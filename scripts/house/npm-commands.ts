import { experiments } from '../lab/experiments.ts';
import type { Problem } from './problem.ts';
import type { TextFile } from './tree.ts';

const COMMAND = /\bnpm run (?<script>[a-z][\w-]*(?::[\w-]+)*)(?: -- (?<name>[a-z][\w-]*))?/g;

/**
 * Commands that a page, a comment or a message names and that `package.json`, `npm run lab` or bench/ does not have.
 */
export function findUnknownCommands(files: readonly TextFile[]): Problem[] {
  const manifest = files.find(({ path }) => path === 'package.json');
  const parsed = JSON.parse(manifest?.text ?? '{}') as { scripts?: Record<string, string> };
  const scripts = new Set(Object.keys(parsed.scripts ?? {}));
  const benchmarks = new Set(files.flatMap(({ path }) => /^bench\/([\w-]+)\.ts$/.exec(path)?.[1] ?? []));
  const isKnown = (script: string, name: string | undefined): boolean => {
    if (!scripts.has(script)) return false;
    if (name === undefined) return true;
    return script === 'lab' ? Object.hasOwn(experiments, name) : script !== 'bench' || benchmarks.has(name);
  };
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((content, index) =>
      [...content.matchAll(COMMAND)]
        .filter(({ groups }) => !isKnown(groups!['script']!, groups!['name']))
        .map(([command]) => ({
          path,
          line: index + 1,
          rule: 'commands',
          message: `names "${command}", which is not there. See package.json, scripts/lab/experiments.ts and bench/.`,
        })),
    ),
  );
}
