import { isTimeout, type ReadOnly } from '../../../platform/database/read-only.ts';
import { checkSql } from './check-sql.ts';
import { presentValue, type Value } from './present-value.ts';
import type { Rule } from './rejection.ts';

export type SqlAnswer =
  | { ok: true; columns: string[]; rows: Value[][]; truncated: boolean }
  | { ok: false; reason: 'refused'; rule: Rule | 'server'; message: string }
  | { ok: false; reason: 'too_expensive' | 'timed_out'; message: string };

interface SqlTool {
  database: Pick<ReadOnly, 'run'>;
  /** Whether the watchlist's rollout is on for the member; asked only where the statement names the list. */
  isWatchlistOn: () => Promise<boolean>;
}

/** Most rows of an answer, and bytes of it as JSON. */
const MOST_ROWS = 200;
const MOST_BYTES = 500_000;
/** Cost units of the planner: questions of members cost up to 5,000, a join of everything with everything 80,000. */
const MOST_COST = 20_000;

const TOO_EXPENSIVE = 'This would read or compute too much; ask for named symbols, fewer days or fewer joins.';
const TOO_LARGE = 'The answer is too large; select fewer columns or rows.';
const TIMED_OUT = 'The statement took too long; ask for less at a time.';

/**
 * Runs a SELECT of unknown origin in a member's name, behind every guard: values as numbers, booleans, texts and nulls,
 * times in ISO 8601 UTC. Throws UNAVAILABLE where the database has no connection for it, and what `database` throws.
 */
export async function runSql({ database, isWatchlistOn }: SqlTool, idpId: string, text: string): Promise<SqlAnswer> {
  const verdict = await checkSql(text);
  if (!verdict.ok) return { ok: false, reason: 'refused', rule: verdict.rule, message: verdict.message };
  if (verdict.tables.has('watchlist_items') && !(await isWatchlistOn()))
    return { ok: false, reason: 'refused', rule: 'name', message: 'There is no table watchlist_items for you.' };
  const answer = await database.run(idpId, text, { rows: MOST_ROWS, bytes: MOST_BYTES, cost: MOST_COST });
  if (answer.ok) {
    const rows: Value[][] = [];
    let bytes = 0;
    for (const row of answer.rows.slice(0, MOST_ROWS)) {
      const values = row.map((value, at) => presentValue(value, answer.columns[at]!.type));
      bytes += Buffer.byteLength(JSON.stringify(values));
      if (bytes > MOST_BYTES) break;
      rows.push(values);
    }
    return {
      ok: true,
      columns: answer.columns.map(({ name }) => name),
      rows,
      truncated: rows.length < answer.rows.length,
    };
  }
  if (answer.reason !== 'refused')
    return { ok: false, reason: 'too_expensive', message: answer.reason === 'too_large' ? TOO_LARGE : TOO_EXPENSIVE };
  if (isTimeout(answer)) return { ok: false, reason: 'timed_out', message: TIMED_OUT };
  if (/^(53|54)/.test(answer.code)) return { ok: false, reason: 'too_expensive', message: TOO_EXPENSIVE };
  return { ok: false, reason: 'refused', rule: 'server', message: `PostgreSQL says: ${answer.message}.` };
}
