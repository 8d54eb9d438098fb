import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseOptions } from '../run/parse-options.ts';
import { findStaleReferences } from './stale-references.ts';

parseOptions({
  usage: 'npx node tools/check/check-references.ts prints files and names in pages and comments that do not exist.',
});

const root = join(import.meta.dirname, '../..');
const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  maxBuffer: 2 ** 26,
})
  .toString()
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') });
// The tutorials create files of their own, and run as tests. Changelog, releases and decisions tell of past code, and
// the accuracy report names files of its sources.
const isPage = (path: string): boolean =>
  path.endsWith('.md') &&
  !/^(?:CHANGELOG\.md|\.github\/releases\/|docs\/decisions\/|docs\/tutorials\/|docs\/reference\/accuracy\.md|licenses\/)/.test(
    path,
  );
const isCode = (path: string): boolean =>
  /\.(?:ts|tsx|mjs|sql|sh|ya?ml|css|html)$/.test(path) || path === 'package.json';
const pages = paths.filter(isPage).map(read);
const problems = findStaleReferences(pages, paths.filter(isCode).map(read), paths);
for (const problem of problems) console.error(problem);
console.log(`${pages.length} pages read, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
