import { queryFirstRow } from '../../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../../platform/database/roles.ts';

/** Member's user at the brokerage aggregator. The secret is null until the registration has finished. */
export interface UserRow {
  external_id: string;
  sealed_secret: Buffer | null;
  /** True if the registration started so long ago that no caller waits for its response. */
  is_stale: boolean;
}

export const findUser = (sql: ServiceSql, idpId: string) =>
  queryFirstRow<UserRow>(
    sql,
    `select u.external_id, u.sealed_secret, u.registration_started_at < now() - interval '1 minute' as is_stale
       from public.brokerage_users u where u.idp_id = $1`,
    [idpId],
  );

/** Stores an id before its registration. Returns false if another id was stored first. */
export async function insertUser(sql: ServiceSql, idpId: string, externalId: string): Promise<boolean> {
  const rows = await sql.query(
    `insert into public.brokerage_users (idp_id, external_id) values ($1, $2) on conflict do nothing returning idp_id`,
    [idpId, externalId],
  );
  return rows.length > 0;
}

/** Stores the secret of an id. Returns false if the id is no longer the member's. */
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

/** Deletes a member's id at the aggregator. Returns `undefined` if the member has no id, or not this one. */
export async function deleteUser(sql: ServiceSql, idpId: string, externalId?: string): Promise<string | undefined> {
  const [row] = await sql.query<{ external_id: string }>(
    `delete from public.brokerage_users u where u.idp_id = $1 and u.external_id = coalesce($2::uuid, u.external_id)
      returning u.external_id`,
    [idpId, externalId ?? null],
  );
  return row?.external_id;
}

/** Returns the member with this id at the aggregator. */
export async function findMemberByUserId(sql: ServiceSql, externalId: string): Promise<string | undefined> {
  const [row] = await sql.query<{ idp_id: string }>(
    `select u.idp_id from public.brokerage_users u where u.external_id::text = $1`,
    [externalId],
  );
  return row?.idp_id;
}
