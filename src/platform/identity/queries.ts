import type { MemberSql, ServiceSql } from '../database/roles.ts';

/** Makes creation and deletion of one member follow one another, until the transaction ends. */
export async function lockMember(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('member:' || $1, 0))`, [idpId]);
}

/** Writes under the member's lock, in a transaction; `false`, and nothing is written, for one who has been deleted. */
const writeUnlessDeleted = (
  sql: ServiceSql,
  idpId: string,
  write: string,
  values: readonly unknown[],
): Promise<boolean> =>
  sql.transaction(async (transaction) => {
    await lockMember(transaction, idpId);
    // A statement of its own, so that it sees what was committed while the lock was waited for.
    const deleted = await transaction.query(
      `select from public.deleted_members where idp_id_hash = sha256(convert_to($1, 'UTF8'))`,
      [idpId],
    );
    if (deleted.length > 0) return false;
    await transaction.query(write, values);
    return true;
  });

/** Whether there is a member of this identifier, who has not been deleted. */
export async function isMember(sql: ServiceSql, idpId: string): Promise<boolean> {
  const found = await sql.query(`select from public.all_users where idp_id = $1`, [idpId]);
  return found.length > 0;
}

/** Whether an event of the identity provider about this person has arrived. */
export async function hasProviderEvent(sql: ServiceSql, idpId: string): Promise<boolean> {
  const found = await sql.query(`select from public.all_users where idp_id = $1 and idp_updated_at is not null`, [
    idpId,
  ]);
  return found.length > 0;
}

/** Members with this identifier or email address, whatever its case; at most ten. */
export const findMembers = (sql: ServiceSql, idOrEmail: string) =>
  sql.query<{ idp_id: string }>(
    `select idp_id from public.all_users where idp_id = $1 or lower(email) = lower($1) order by idp_id limit 10`,
    [idOrEmail],
  );

/** Makes the member's row where there is none yet; `false` for a member who has been deleted. */
export async function ensureMember(sql: ServiceSql, idpId: string): Promise<boolean> {
  if (await isMember(sql, idpId)) return true;
  return writeUnlessDeleted(sql, idpId, `insert into public.all_users (idp_id) values ($1) on conflict do nothing`, [
    idpId,
  ]);
}

/** Keeps the provider's newest state of a member, in any order of arrival; `false` for a deleted member. */
export function upsertMember(
  sql: ServiceSql,
  { idpId, email, createdAt, updatedAt }: { idpId: string; email: string | null; createdAt: Date; updatedAt: Date },
): Promise<boolean> {
  return writeUnlessDeleted(
    sql,
    idpId,
    `insert into public.all_users as known (idp_id, email, created_at, idp_updated_at) values ($1, $2, $3, $4)
     on conflict (idp_id) do update
     set email = excluded.email, created_at = excluded.created_at,
         idp_updated_at = excluded.idp_updated_at, updated_at = excluded.updated_at
     where coalesce(known.idp_updated_at <= excluded.idp_updated_at, true)`,
    [idpId, email, createdAt, updatedAt],
  );
}

/** The rows of a statement about one member, as the database writes them in JSON. */
export async function selectAsJson(
  sql: ServiceSql,
  rows: string,
  idpId: string,
): Promise<{ json: string; count: number }> {
  const [found] = await sql.query<{ json: string; count: number }>(
    `select coalesce(json_agg(r), '[]')::text as json, count(*)::int as count from (${rows}) r`,
    [idpId],
  );
  return found!;
}

/** Revokes the member's API keys and assistant tokens. Servers that know a key already refuse it within seconds. */
export async function revokeCredentials(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select public.revoke_credentials($1)`, [idpId]);
}

/** Removes the member and by cascade every row that points at them, after requests of theirs that are writing. */
export async function deleteMemberRow(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.all_users where idp_id = $1`, [idpId]);
}

/** Notes that the member has been deleted, also one who was never seen, so that late events make no row. */
export async function insertTombstone(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(
    `insert into public.deleted_members (idp_id_hash) values (sha256(convert_to($1, 'UTF8'))) on conflict do nothing`,
    [idpId],
  );
}

/** Notes a webhook delivery as handled; `false` where it was before. Waits for a transaction that handles it now. */
export async function recordDelivery(sql: ServiceSql, deliveryId: string, type: string): Promise<boolean> {
  const inserted = await sql.query(
    `insert into public.identity_webhook_deliveries (delivery_id, type) values ($1, $2)
     on conflict do nothing returning delivery_id`,
    [deliveryId, type],
  );
  return inserted.length === 1;
}

/** Forgets deliveries older than 30 days; the provider retries for about 28 hours. */
export async function purgeOldDeliveries(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from public.identity_webhook_deliveries where received_at < now() - interval '30 days'`);
}

/** The signed-in member's address; null until the provider has told it. */
export async function readEmail(sql: MemberSql): Promise<string | null> {
  const [row] = await sql.query<{ email: string | null }>(`select email from public.all_users`);
  return row?.email ?? null;
}
