import { resolveImport } from './import-walls.ts';
import type { Problem } from './problem.ts';
import type { Source } from './read-source.ts';
import { isGenerated, isTest } from './tree.ts';

/** Files whose names are for others than this repository: the library's entry, and what a tool loads by its place. */
const OPEN = /(^src\/token-counting\/counter\/index\.ts|\.config\.ts|\.d\.ts)$/;

/**
 * Exports that no other file imports. A test is an importer like any: what it tries is the unit that the file is there
 * for.
 */
export function findUnusedExports(sources: readonly Source[]): Problem[] {
  const taken = new Map<string, Set<string> | 'everything'>();
  for (const source of sources) {
    for (const { specifier, names } of source.imports) {
      if (!specifier?.startsWith('.')) continue;
      const target = resolveImport(source.path, specifier);
      const before = taken.get(target) ?? new Set();
      if (before === 'everything') continue;
      taken.set(target, names ? new Set([...before, ...names]) : 'everything');
    }
  }
  return sources.flatMap((source) => {
    const used = taken.get(source.path) ?? new Set();
    if (used === 'everything' || OPEN.test(source.path) || isTest(source.path) || isGenerated(source.text)) return [];
    return source.exports
      .filter(({ name }) => !used.has(name))
      .map(({ name, line }) => ({
        path: source.path,
        line,
        rule: 'exports',
        message: `exports ${name}, which no other file imports. Take the export away, and what nothing uses then.`,
      }));
  });
}
