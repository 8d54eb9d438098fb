import { isTest } from './tree.ts';
import type { Problem } from './problem.ts';
import type { Source } from './read-source.ts';

/** How a statement of SQL begins. */
const STATEMENT = new RegExp(
  [
    '^\\s*(select\\s[\\s\\S]*\\sfrom\\s|select\\s+[\\w.]+\\(|insert\\s+into\\s|update\\s+[\\w."]+\\s+set\\s',
    'delete\\s+from\\s|with\\s+(recursive\\s+)?\\w+\\s+as\\s*\\(',
    '(create|alter|drop)\\s+(table|role|function|policy|index|schema|database|type|view|extension)\\s',
    'grant\\s+\\w+.*\\s(to|on)\\s|truncate\\s|begin\\s*(;|$)|commit\\s*(;|$)|rollback\\s*(;|$))',
  ].join('|'),
  'i',
);

/** Things that have exactly one door: settings, SQL, and the names that a folder shows. */
export function findSideDoors(sources: readonly Source[]): Problem[] {
  return sources.flatMap((source) => {
    const { path } = source;
    const product = /^(src|cli)\//.test(path) && !isTest(path);
    return product ? [...environment(source), ...statements(source), ...barrels(source)] : [];
  });
}

function environment({ path, environmentReads }: Source): Problem[] {
  if (path === 'src/config.ts') return [];
  const message =
    'reads process.env. src/config.ts is its only reader, so that each setting is checked, named ' +
    'and documented once: take the value as a parameter.';
  return environmentReads.map((line) => ({ path, line, rule: 'environment', message }));
}

function statements({ path, literals }: Source): Problem[] {
  const isDoor = path.endsWith('/queries.ts') || path.endsWith('-queries.ts') || path.startsWith('src/database/');
  if (isDoor || path.includes('/web/')) return [];
  const message =
    'holds SQL. Statements stand in queries.ts (and db/), where a reader finds all that touch a table: ' +
    'move it there behind a named function.';
  return literals.filter(({ text }) => STATEMENT.test(text)).map(({ line }) => ({ path, line, rule: 'sql', message }));
}

function barrels({ path, imports }: Source): Problem[] {
  if (/^src\/token-counting\/counter\/([\w-]+\/)*index\.ts$/.test(path)) return [];
  const message =
    're-exports another file. A second address for one thing hides who uses it: import the file that defines it.';
  const problems: Problem[] = imports
    .filter((site) => site.reExport)
    .map(({ line }) => ({ path, line, rule: 'barrels', message }));
  if (/\/index\.tsx?$/.test(path)) {
    problems.push({
      path,
      rule: 'barrels',
      message: 'is named index. Only the counter has a public face of that name: name the file after its verb.',
    });
  }
  return problems;
}
