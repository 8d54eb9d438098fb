import type { Problem } from './problem.ts';
import { isGenerated, type TextFile } from './tree.ts';

/**
 * Where lines are kept short; the formatter breaks code alone, not texts, comments and SQL. Applied migrations stay
 * as they are.
 */
const ROOTS = /^(bench|bin|cli|scripts|src|test)\/|^[^/]+\.ts$/;
/** Requests and generated tables are data. */
const EXEMPT = /^(test\/regression\/requests|src\/token-counting\/counter\/data)\/|\/character-table\.ts$/;
const CODE = /\.(ts|tsx|mts|mjs|js|css|sh|sql)$/;
const LONGEST = 120;

/** Hand-written lines that one cannot read without scrolling. */
export function findLongLines(files: readonly TextFile[]): Problem[] {
  return files.flatMap(({ path, text }) => {
    if (!ROOTS.test(path) || EXEMPT.test(path) || !CODE.test(path) || isGenerated(text)) return [];
    return text.split('\n').flatMap((line, index) => {
      if (line.length <= LONGEST) return [];
      const message =
        `has ${line.length} characters; ${LONGEST} are the most. ` +
        'Break the text, the SQL or the comment where it pauses, or say it shorter.';
      return [{ path, line: index + 1, rule: 'lines', message }];
    });
  });
}
