import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';

/** Access that an aggregator must revoke. */
interface RevocationRow {
  id: string;
  provider: string;
  sealed: Buffer;
}

export async function insertRevocation(sql: ServiceSql, { id, provider, sealed }: RevocationRow): Promise<void> {
  await sql.query(`insert into public.connection_revocations (id, provider, sealed) values ($1, $2, $3)`, [
    id,
    provider,
    sealed,
  ]);
}

export const findRevocation = (sql: ServiceSql, id: string) =>
  queryFirstRow<RevocationRow>(
    sql,
    `select r.id, r.provider, r.sealed from public.connection_revocations r where r.id = $1`,
    [id],
  );

export async function deleteRevocation(sql: ServiceSql, id: string): Promise<void> {
  await sql.query(`delete from public.connection_revocations where id = $1`, [id]);
}

/** Returns revocations that have been pending for an hour. */
export async function listOverdueRevocations(
  sql: ServiceSql,
  providers: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select r.id from public.connection_revocations r
      where r.created_at < now() - interval '1 hour' and r.provider = any($1::text[]) order by r.created_at limit $2`,
    [providers, limit],
  );
  return rows.map(({ id }) => id);
}

/** Ciphertext with its location. `idp_id` is null in tables without a member. */
interface EncryptedRow {
  idp_id: string | null;
  row: string;
  sealed: Buffer;
}

/** Encrypted columns with the expression that names a row in the additional authenticated data. */
const COLUMNS = {
  'connection_secrets.sealed': { table: 'public.connection_secrets', row: 'connection_id', owner: 'idp_id' },
  'connection_attempts.sealed_reference': { table: 'public.connection_attempts', row: 'id', owner: 'idp_id' },
  'connection_attempts.sealed_credential': { table: 'public.connection_attempts', row: 'id', owner: 'idp_id' },
  'brokerage_users.sealed_secret': { table: 'public.brokerage_users', row: 'external_id', owner: 'idp_id' },
  // The former name of the table, which is part of the authenticated data of stored rows.
  'aggregator_removals.sealed': { table: 'public.connection_revocations', row: 'id', owner: null },
} as const;

export type EncryptedColumn = keyof typeof COLUMNS;
export const encryptedColumns = Object.keys(COLUMNS) as EncryptedColumn[];

const getField = (column: EncryptedColumn): string => column.split('.')[1]!;

/** Returns rows of a column after `afterRow`, in the order of their ids. */
export function listEncryptedRows(
  sql: ServiceSql,
  column: EncryptedColumn,
  afterRow: string,
  limit: number,
): Promise<EncryptedRow[]> {
  const { table, row, owner } = COLUMNS[column];
  const field = getField(column);
  return sql.query<EncryptedRow>(
    `select ${owner ?? 'null::text'} as idp_id, ${row}::text as row, ${field} as sealed from ${table}
      where ${field} is not null and ${row} > $1::uuid order by ${row} limit $2`,
    [afterRow, limit],
  );
}

/** Replaces the ciphertext that was read. Returns false if it has changed since. */
export async function replaceCiphertext(
  sql: ServiceSql,
  column: EncryptedColumn,
  { row: id, sealed }: EncryptedRow,
  replacement: Buffer,
): Promise<boolean> {
  const { table, row } = COLUMNS[column];
  const field = getField(column);
  const rows = await sql.query(
    `update ${table} set ${field} = $3 where ${row} = $1::uuid and ${field} = $2 returning 1`,
    [id, sealed, replacement],
  );
  return rows.length > 0;
}

/** Returns at most ten ciphertexts of each encrypted column. A closed attempt needs no key. */
export async function listCiphertexts(sql: ServiceSql): Promise<Buffer[]> {
  const rows = await sql.query<{ sealed: Buffer }>(
    `(select s.sealed from public.connection_secrets s limit 10)
     union all (select a.sealed_reference from public.connection_attempts a where a.state = 'open' limit 10)
     union all (select a.sealed_credential from public.connection_attempts a
       where a.sealed_credential is not null limit 10)
     union all (select u.sealed_secret from public.brokerage_users u where u.sealed_secret is not null limit 10)
     union all (select r.sealed from public.connection_revocations r limit 10)`,
  );
  return rows.map(({ sealed }) => sealed);
}

/** Condition that none of the keys `$1` encrypted a ciphertext, whose bytes 2 to 5 name its key. */
const lacksKey = (ciphertext: string): string => `substring(${ciphertext} from 2 for 4) <> all ($1::bytea[])`;

/**
 * Deletes the ciphertexts that none of the keys encrypted, and requires a new sign-in for their connections. Returns how
 * many were deleted. A repetition after an interruption deletes the others.
 */
export async function deleteLostCiphertexts(sql: ServiceSql, keyIds: readonly Buffer[]): Promise<number> {
  await sql.query(
    `update public.connections c set status = 'login_required' from public.connection_secrets s
      where s.idp_id = c.idp_id and s.connection_id = c.id and ${lacksKey('s.sealed')}`,
    [keyIds],
  );
  const statements = [
    `delete from public.connection_secrets s where ${lacksKey('s.sealed')}`,
    // As after an interrupted registration of long ago, so that the next attempt to connect registers a new user.
    `update public.brokerage_users u set sealed_secret = null, registration_started_at = to_timestamp(0)
      where ${lacksKey('u.sealed_secret')}`,
    `delete from public.connection_attempts a
      where ${lacksKey('a.sealed_reference')} or ${lacksKey('a.sealed_credential')}`,
    `delete from public.connection_revocations r where ${lacksKey('r.sealed')}`,
  ];
  let deleted = 0;
  for (const statement of statements) deleted += (await sql.query(`${statement} returning 1`, [keyIds])).length;
  return deleted;
}
