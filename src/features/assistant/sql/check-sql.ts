import { checkNames } from './check-names.ts';
import { checkShapes } from './check-shapes.ts';
import { parseSelect } from './parse.ts';
import { type Rule, SqlRejection } from './rejection.ts';
import { resolveNames } from './resolve-names.ts';

/** `tables`: those that it reads. */
type SqlCheckResult = { ok: true; tables: ReadonlySet<string> } | { ok: false; rule: Rule; message: string };

/** Whether a text of unknown origin is a SELECT that may be sent to the database; else why not, and what to write. */
export async function checkSql(text: string): Promise<SqlCheckResult> {
  try {
    const select = await parseSelect(text);
    checkNames(checkShapes(select));
    return { ok: true, tables: resolveNames(select) };
  } catch (error) {
    if (error instanceof SqlRejection) return { ok: false, rule: error.rule, message: error.message };
    throw error;
  }
}
