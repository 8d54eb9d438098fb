import type { ServiceSql } from '../../../platform/database/roles.ts';

/** Who a member is to the brokerage aggregator; without a secret while it is being asked for one. */
interface UserRow {
  external_id: string;
  sealed_secret: Buffer | null;
  /** Asked so long ago that nobody waits for the answer any more. */
  is_stale: boolean;
}

export async function findUser(sql: ServiceSql, idpId: string): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(
    `select u.external_id, u.sealed_secret, u.registration_started_at < now() - interval '1 minute' as is_stale
       from public.brokerage_users u where u.idp_id = $1`,
    [idpId],
  );
  return row;
}

/** Stores a name before the aggregator hears it; false where another one was stored meanwhile. */
export async function insertUser(sql: ServiceSql, idpId: string, externalId: string): Promise<boolean> {
  const rows = await sql.query(
    `insert into public.brokerage_users (idp_id, external_id) values ($1, $2) on conflict do nothing returning idp_id`,
    [idpId, externalId],
  );
  return rows.length > 0;
}

/** Keeps the secret of a name; false where that is no longer the member's. */
export async function storeSecret(
  sql: ServiceSql,
  idpId: string,
  userId: string,
  encryptedSecret: Buffer,
): Promise<boolean> {
  const rows = await sql.query(
    `update public.brokerage_users set sealed_secret = $3
      where idp_id = $1 and external_id = $2 and sealed_secret is null returning idp_id`,
    [idpId, userId, encryptedSecret],
  );
  return rows.length > 0;
}

/** Forgets a member's name there; `undefined` where they have none, or not this one. */
export async function deleteUser(sql: ServiceSql, idpId: string, externalId?: string): Promise<string | undefined> {
  const [row] = await sql.query<{ external_id: string }>(
    `delete from public.brokerage_users u where u.idp_id = $1 and u.external_id = coalesce($2::uuid, u.external_id)
      returning u.external_id`,
    [idpId, externalId ?? null],
  );
  return row?.external_id;
}

/** Whose name at the aggregator it is. */
export async function findMemberByUserId(sql: ServiceSql, externalId: string): Promise<string | undefined> {
  const [row] = await sql.query<{ idp_id: string }>(
    `select u.idp_id from public.brokerage_users u where u.external_id::text = $1`,
    [externalId],
  );
  return row?.idp_id;
}
