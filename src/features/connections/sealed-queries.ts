import type { ServiceSql } from '../../platform/database/roles.ts';

/** Access that an aggregator must end. */
interface RemovalRow {
  id: string;
  provider: string;
  sealed: Buffer;
}

export async function insertRemoval(sql: ServiceSql, { id, provider, sealed }: RemovalRow): Promise<void> {
  await sql.query(`insert into public.aggregator_removals (id, provider, sealed) values ($1, $2, $3)`, [
    id,
    provider,
    sealed,
  ]);
}

export async function findRemoval(sql: ServiceSql, id: string): Promise<RemovalRow | undefined> {
  const [row] = await sql.query<RemovalRow>(
    `select r.id, r.provider, r.sealed from public.aggregator_removals r where r.id = $1`,
    [id],
  );
  return row;
}

export async function deleteRemoval(sql: ServiceSql, id: string): Promise<void> {
  await sql.query(`delete from public.aggregator_removals where id = $1`, [id]);
}

/** Removals that have waited for an hour. */
export async function listRemovals(sql: ServiceSql, providers: readonly string[], most: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select r.id from public.aggregator_removals r
      where r.created_at < now() - interval '1 hour' and r.provider = any($1::text[]) order by r.created_at limit $2`,
    [providers, most],
  );
  return rows.map(({ id }) => id);
}

/** A sealed text where it stands; `idp_id` is null in tables that name no member. */
interface SealedRow {
  idp_id: string | null;
  row: string;
  sealed: Buffer;
}

/** Each sealed column, and how its rows are named in what binds them to their place. */
const COLUMNS = {
  'connection_secrets.sealed': { table: 'public.connection_secrets', row: 'connection_id', owner: 'idp_id' },
  'connection_attempts.sealed_reference': { table: 'public.connection_attempts', row: 'id', owner: 'idp_id' },
  'connection_attempts.sealed_credential': { table: 'public.connection_attempts', row: 'id', owner: 'idp_id' },
  'brokerage_users.sealed_secret': { table: 'public.brokerage_users', row: 'external_id', owner: 'idp_id' },
  'aggregator_removals.sealed': { table: 'public.aggregator_removals', row: 'id', owner: null },
} as const;

export type SealedColumn = keyof typeof COLUMNS;
export const sealedColumns = Object.keys(COLUMNS) as SealedColumn[];

const fieldOf = (column: SealedColumn): string => column.split('.')[1]!;

/** Rows of a column in the order of their row's id, after `after`. */
export function listSealed(sql: ServiceSql, column: SealedColumn, after: string, most: number): Promise<SealedRow[]> {
  const { table, row, owner } = COLUMNS[column];
  const field = fieldOf(column);
  return sql.query<SealedRow>(
    `select ${owner ?? 'null::text'} as idp_id, ${row}::text as row, ${field} as sealed from ${table}
      where ${field} is not null and ${row} > $1::uuid order by ${row} limit $2`,
    [after, most],
  );
}

/** Puts a new sealing in the place of the one that was read; false where that has changed meanwhile. */
export async function replaceSealed(
  sql: ServiceSql,
  column: SealedColumn,
  { row: id, sealed }: SealedRow,
  replacement: Buffer,
): Promise<boolean> {
  const { table, row } = COLUMNS[column];
  const field = fieldOf(column);
  const rows = await sql.query(
    `update ${table} set ${field} = $3 where ${row} = $1::uuid and ${field} = $2 returning 1`,
    [id, sealed, replacement],
  );
  return rows.length > 0;
}
