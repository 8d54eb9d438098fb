import { isTimeout, type ReadOnly } from '../../../platform/database/read-only.ts';
import { checkSql } from './check-sql.ts';
import { toJsonValue, type JsonValue } from './to-json-value.ts';
import type { Rule } from './rejection.ts';

export type SqlResult =
  | { ok: true; columns: string[]; rows: JsonValue[][]; truncated: boolean }
  | { ok: false; reason: 'rejected'; rule: Rule | 'server'; message: string }
  | { ok: false; reason: 'too_expensive' | 'timed_out'; message: string };

interface SqlDependencies {
  database: Pick<ReadOnly, 'run'>;
  /** Returns whether the watchlist's rollout is on for the member. Called only if the statement reads the watchlist. */
  isWatchlistOn: () => Promise<boolean>;
}

/** Maximum number of rows of a result, and maximum size of the result as JSON in bytes. */
const MAX_ROWS = 200;
const MAX_BYTES = 500_000;
/** Maximum cost in the planner's units. Typical questions cost up to 5,000, a cross join of all tables 80,000. */
const MAX_COST = 20_000;

const TOO_EXPENSIVE = 'This would read or compute too much; select named symbols, fewer days or fewer joins.';
const TOO_LARGE = 'The result is too large; select fewer columns or rows.';
const TIMED_OUT = 'The statement took too long; request less data.';

/**
 * Runs an untrusted SELECT in a member's name behind every guard. Values are numbers, booleans, texts and nulls. Times
 * are ISO 8601 in UTC. Throws UNAVAILABLE if the database has no free connection, and the errors of `database`.
 */
export async function runSql(
  { database, isWatchlistOn }: SqlDependencies,
  idpId: string,
  text: string,
): Promise<SqlResult> {
  const check = await checkSql(text);
  if (!check.ok) return { ok: false, reason: 'rejected', rule: check.rule, message: check.message };
  if (check.tables.has('watchlist_items') && !(await isWatchlistOn()))
    return {
      ok: false,
      reason: 'rejected',
      rule: 'name',
      message: 'The table watchlist_items is not available to you.',
    };
  const result = await database.run(idpId, text, { rows: MAX_ROWS, bytes: MAX_BYTES, cost: MAX_COST });
  if (result.ok) {
    const rows: JsonValue[][] = [];
    let bytes = 0;
    for (const row of result.rows.slice(0, MAX_ROWS)) {
      const values = row.map((value, index) => toJsonValue(value, result.columns[index]!.type));
      bytes += Buffer.byteLength(JSON.stringify(values));
      if (bytes > MAX_BYTES) break;
      rows.push(values);
    }
    return {
      ok: true,
      columns: result.columns.map(({ name }) => name),
      rows,
      truncated: rows.length < result.rows.length,
    };
  }
  if (result.reason !== 'error')
    return { ok: false, reason: 'too_expensive', message: result.reason === 'too_large' ? TOO_LARGE : TOO_EXPENSIVE };
  if (isTimeout(result)) return { ok: false, reason: 'timed_out', message: TIMED_OUT };
  if (/^(53|54)/.test(result.code)) return { ok: false, reason: 'too_expensive', message: TOO_EXPENSIVE };
  return { ok: false, reason: 'rejected', rule: 'server', message: `PostgreSQL: ${result.message}.` };
}
