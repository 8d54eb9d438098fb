import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseOptions } from '../run/parse-options.ts';
import { findOwnershipProblems } from './table-ownership.ts';

parseOptions({ usage: 'npx node tools/check/check-table-ownership.ts prints each use of a table by another feature.' });

/** Prints each violation of the ownership of tables, and exits with 1 if there is one. */
const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const paths = globSync('{src,cli}/**/*.ts', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.includes('/ui/') && !/\.(test|e2e|d)\.ts$/.test(path))
  .sort();
const problems = findOwnershipProblems(
  paths.map((path) => ({ path, text: read(path) })),
  read('db/schema.sql'),
);
for (const problem of problems) console.error(problem);
console.log(`${paths.length} files read, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
