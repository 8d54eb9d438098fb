import type { MemberSql } from '../../../platform/database/roles.ts';

/**
 * SQL that selects rows of the member `$1`, of histories since the date `$2`. Amounts are cast to text, since JSON would
 * round `numeric`.
 */
export type RowsSql<Row> = string & { readonly row?: Row };

/** Rows of several statements by their names. */
type RowsOf<Statements> = { [Name in keyof Statements]: Statements[Name] extends RowsSql<infer Row> ? Row[] : never };

interface PortfolioRange {
  idpId: string;
  /** First day of snapshots and flows, YYYY-MM-DD. */
  from?: string;
}

/**
 * Reads the rows of several statements in one, and therefore from one snapshot: a change between two statements would
 * look like a gain or loss.
 */
export async function readRows<Statements extends Readonly<Record<string, string>>>(
  sql: MemberSql,
  { idpId, from }: PortfolioRange,
  statements: Statements,
): Promise<RowsOf<Statements>> {
  const names = Object.keys(statements);
  const values = from === undefined ? [idpId] : [idpId, from];
  const [row] = await sql.query<Record<string, Record<string, unknown>[]>>(
    `with ${names.map((name) => `${name} as materialized (${statements[name]})`).join(', ')}
     select ${names.map((name) => `(select coalesce(json_agg(r), '[]') from ${name} r) as ${name}`).join(', ')}`,
    values,
  );
  return Object.fromEntries(names.map((name) => [name, row![name]!.map(parseTimes)])) as RowsOf<Statements>;
}

const timeColumns = ['created_at', 'updated_at', 'quantity_changed_at', 'price_at', 'as_of'] as const;

/** Returns a row of JSON with times as `Date`, as the driver returns them. */
function parseTimes(row: Readonly<Record<string, unknown>>): object {
  const times = timeColumns.filter((column) => typeof row[column] === 'string');
  return times.length === 0
    ? row
    : { ...row, ...Object.fromEntries(times.map((column) => [column, new Date(row[column] as string)])) };
}
