import { globSync } from 'node:fs';

const PATTERNS = ['src/**/*.test.ts', 'cli/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'test/e2e/**/*.e2e.ts'];

/**
 * The test files under `root`, browser tests last; with `wanted` only those whose path starts with, or equals, one of
 * the given paths or contains it.
 */
export function findTestFiles(root: string, wanted: readonly string[]): string[] {
  const files = PATTERNS.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', 'test/conformance/**'] }).sort());
  const paths = [...new Set(files.map((file) => file.replaceAll('\\', '/')))];
  if (wanted.length === 0) return paths;
  const cleaned = wanted.map((path) => path.replace(/^\.\//, ''));
  return paths.filter((path) => cleaned.some((part) => path.includes(part)));
}
