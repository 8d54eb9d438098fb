import type { ServiceSql } from '../../platform/database/roles.ts';

/** A session ends after 15 idle minutes, and 12 hours after its sign-in. */
const IS_ACTIVE = `last_used_at > now() - interval '15 minutes' and created_at > now() - interval '12 hours'`;

/** Stores a new session and deletes ended ones. */
export async function insertSession(sql: ServiceSql, idHash: Buffer): Promise<void> {
  await sql.query(`delete from tally.operator_sessions where not (${IS_ACTIVE})`);
  await sql.query('insert into tally.operator_sessions (id_hash) values ($1)', [idHash]);
}

/** Records the use of a session. Returns `false` if it has ended or does not exist. */
export async function touchSession(sql: ServiceSql, idHash: Buffer): Promise<boolean> {
  const rows = await sql.query(
    `update tally.operator_sessions set last_used_at = now() where id_hash = $1 and ${IS_ACTIVE} returning id_hash`,
    [idHash],
  );
  return rows.length === 1;
}

/** Ends a session. */
export async function deleteSession(sql: ServiceSql, idHash: Buffer): Promise<void> {
  await sql.query('delete from tally.operator_sessions where id_hash = $1', [idHash]);
}
