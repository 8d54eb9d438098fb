import { checkNames } from './check-names.ts';
import { checkShapes } from './check-shapes.ts';
import { parseSelect } from './parse.ts';
import { type Rule, SqlRejection } from './rejection.ts';
import { resolveNames } from './resolve-names.ts';

/** `tables`: names of the tables that the statement reads. */
type SqlCheckResult = { ok: true; tables: ReadonlySet<string> } | { ok: false; rule: Rule; message: string };

/**
 * Returns whether an untrusted text is a SELECT that may be sent to the database. A rejection contains its reason and a
 * suggestion.
 */
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
