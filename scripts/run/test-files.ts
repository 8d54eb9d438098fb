import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PATTERNS = [
  'src/**/*.test.ts',
  'cli/**/*.test.ts',
  'scripts/**/*.test.ts',
  'tools/**/*.test.ts',
  'packages/**/*.test.ts',
  'test/**/*.test.ts',
  'bench/**/*.test.ts',
  'test/e2e/**/*.e2e.ts',
];

/** Tests that drive a browser and the whole service. */
export const isBrowserTest = (file: string): boolean => file.endsWith('.e2e.ts');

/**
 * The test files under `root`, browser tests last, and of these the largest first, each with the modules of its folder
 * that it imports, so that none of the long ones is begun when the others have ended; with `wanted` only those whose
 * path contains one of the given. Tests in test/slow are left out unless they are wanted.
 */
export function findTestFiles(root: string, wanted: readonly string[]): string[] {
  const files = PATTERNS.flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', 'test/conformance/**'] }).sort(),
  );
  const named = wanted.some((path) => path.includes('test/slow'));
  const paths = [...new Set(files.map((file) => file.replaceAll('\\', '/')))].filter(
    (path) => named || !path.startsWith('test/slow/'),
  );
  const size = (path: string): number => (isBrowserTest(path) ? sizeWithNeighbours(join(root, path)) : 0);
  paths.sort((a, b) => Number(isBrowserTest(a)) - Number(isBrowserTest(b)) || size(b) - size(a));
  if (wanted.length === 0) return paths;
  const cleaned = wanted.map((path) => path.replace(/^\.\//, ''));
  return paths.filter((path) => cleaned.some((part) => path.includes(part)));
}

/** Characters of a module and of those in its own folder that it imports, each once. */
function sizeWithNeighbours(file: string, seen = new Set<string>()): number {
  if (seen.has(file)) return 0;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const neighbours = [...text.matchAll(/ from '(\.\/[^']+)'/g)].map(([, path]) => join(file, '..', path!));
  return neighbours.reduce((size, path) => size + sizeWithNeighbours(path, seen), text.length);
}
