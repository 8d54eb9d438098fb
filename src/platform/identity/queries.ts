import { deleteInBatches } from '../database/delete-in-batches.ts';
import type { Handle, MemberSql, ServiceSql } from '../database/roles.ts';

/** Locks a member until the transaction ends, so that creation and deletion run one after another. */
export async function lockMember(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('member:' || $1, 0))`, [idpId]);
}

/**
 * Starts the deletion of a member. Waits for transactions that called `delay_deletion`, which returns false to later
 * ones until this transaction ends.
 */
export async function startDeletion(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('deletion:' || $1, 0))`, [idpId]);
}

/** Writes under the member's lock, in a transaction. Returns `false` and writes nothing for a deleted member. */
const writeUnlessDeleted = (
  sql: ServiceSql,
  idpId: string,
  write: string,
  values: readonly unknown[],
): Promise<boolean> =>
  sql.transaction(async (transaction) => {
    await lockMember(transaction, idpId);
    // A separate statement, so that it sees what was committed while it waited for the lock.
    const deleted = await transaction.query(
      `select from public.deleted_members where idp_id_hash = sha256(convert_to($1, 'UTF8'))`,
      [idpId],
    );
    if (deleted.length > 0) return false;
    await transaction.query(write, values);
    return true;
  });

/** Returns whether a member with this identifier exists and was not deleted. */
export async function isMember(sql: MemberSql | ServiceSql, idpId: string): Promise<boolean> {
  const found = await sql.query(`select from public.all_users where idp_id = $1`, [idpId]);
  return found.length > 0;
}

/** Returns whether there is a member. */
export async function hasMembers(sql: ServiceSql): Promise<boolean> {
  return (await sql.query('select from public.all_users limit 1')).length > 0;
}

/** Returns the creation time of the member's account, or `undefined` if there is no such member. */
export async function selectMemberCreatedAt(sql: ServiceSql, idpId: string): Promise<Date | undefined> {
  const [row] = await sql.query<{ created_at: Date }>(`select created_at from public.all_users where idp_id = $1`, [
    idpId,
  ]);
  return row?.created_at;
}

/** Returns whether an event of the identity provider about this user has arrived. */
export async function hasProviderEvent(sql: ServiceSql, idpId: string): Promise<boolean> {
  const found = await sql.query(`select from public.all_users where idp_id = $1 and idp_updated_at is not null`, [
    idpId,
  ]);
  return found.length > 0;
}

/** Returns at most ten members with this identifier or email address, in any case. */
export const findMembers = (sql: ServiceSql, idOrEmail: string) =>
  sql.query<{ idp_id: string }>(
    `select idp_id from public.all_users where idp_id = $1 or lower(email) = lower($1) order by idp_id limit 10`,
    [idOrEmail],
  );

/** A member as the operator sees one. `email` is null until the provider has sent it. */
export interface ListedMember {
  idp_id: string;
  email: string | null;
  created_at: Date;
}

/**
 * Returns members whose identifier or part of the address matches `search`, newest first, after the member `after` of
 * an earlier page. An unknown `after` yields nothing.
 */
export const listMembers = (
  sql: ServiceSql,
  { search, after, limit }: { search: string | undefined; after: string | undefined; limit: number },
) =>
  sql.query<ListedMember>(
    `select u.idp_id, u.email, u.created_at from public.all_users u
      where ($1::text is null or u.idp_id = $1 or strpos(lower(u.email), lower($1)) > 0)
        and ($2::text is null
             or (u.created_at, u.idp_id) < (select a.created_at, a.idp_id from public.all_users a where a.idp_id = $2))
      order by u.created_at desc, u.idp_id desc limit $3`,
    [search, after, limit],
  );

/** Inserts the member's row if there is none. Returns `false` for a deleted member. */
export async function ensureMember(sql: ServiceSql, idpId: string): Promise<boolean> {
  if (await isMember(sql, idpId)) return true;
  return writeUnlessDeleted(sql, idpId, `insert into public.all_users (idp_id) values ($1) on conflict do nothing`, [
    idpId,
  ]);
}

/** Stores the provider's newest state of a member, in any order of arrival. Returns `false` for a deleted member. */
export function upsertMember(
  sql: ServiceSql,
  { idpId, email, createdAt, updatedAt }: { idpId: string; email: string | null; createdAt: Date; updatedAt: Date },
): Promise<boolean> {
  return writeUnlessDeleted(
    sql,
    idpId,
    `insert into public.all_users as existing (idp_id, email, created_at, idp_updated_at) values ($1, $2, $3, $4)
     on conflict (idp_id) do update
     set email = excluded.email, created_at = excluded.created_at,
         idp_updated_at = excluded.idp_updated_at, updated_at = excluded.updated_at
     where coalesce(existing.idp_updated_at <= excluded.idp_updated_at, true)`,
    [idpId, email, createdAt, updatedAt],
  );
}

/** Returns the member's referral link: null before its generation, `undefined` if there is no such member. */
export async function selectReferralLink(sql: ServiceSql, idpId: string): Promise<string | null | undefined> {
  const [row] = await sql.query<{ referral_link: string | null }>(
    `select referral_link from public.all_users where idp_id = $1`,
    [idpId],
  );
  return row?.referral_link;
}

/** Gives the member this referral link unless they have one. Throws 23505 if it is another member's. */
export async function setReferralLink(sql: ServiceSql, idpId: string, link: string): Promise<void> {
  await sql.query(`select public.set_referral_link($1, $2)`, [idpId, link]);
}

/** Returns the member with this referral link, or `undefined`. */
export async function findMemberByReferralLink(sql: ServiceSql, link: string): Promise<string | undefined> {
  const [row] = await sql.query<{ idp_id: string }>(`select idp_id from public.all_users where referral_link = $1`, [
    link,
  ]);
  return row?.idp_id;
}

/**
 * Creates the table that keeps referral links unique on a cluster, and adds the links of all members to it. A
 * distributed table has no unique index without the member's identifier.
 */
export async function storeTakenReferralLinks(sql: Pick<Handle, 'query'>): Promise<void> {
  await sql.query('create table if not exists tally.referral_links (link text primary key)');
  await sql.query('alter table tally.referral_links enable row level security');
  await sql.query('revoke all on tally.referral_links from service_role');
  await sql.query(`comment on table tally.referral_links is
    'Server only, no policy: referral links that were ever created, without their members, so that each is unique.'`);
  // A link that is set during the copy waits, and then finds the table.
  await sql.query('lock table public.all_users in share row exclusive mode');
  await sql.query(
    `insert into tally.referral_links (link) select u.referral_link from public.all_users u
      where u.referral_link is not null on conflict do nothing`,
  );
}

/** Returns the rows of a statement about one member, as PostgreSQL writes them in JSON. */
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

/** Revokes the member's API keys and assistant tokens. Servers that cached a key reject it within seconds. */
export async function revokeKeysAndTokens(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select public.revoke_credentials($1)`, [idpId]);
}

/**
 * Deletes the member's row and by cascade the rows of running writes that reference it. On a cluster only the member's
 * own tables reference it.
 */
export async function deleteMemberRow(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.all_users where idp_id = $1`, [idpId]);
}

/** Records that the member was deleted, even an unknown one, so that late events create no row. */
export async function insertTombstone(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(
    `insert into public.deleted_members (idp_id_hash) values (sha256(convert_to($1, 'UTF8'))) on conflict do nothing`,
    [idpId],
  );
}

/**
 * Records a webhook delivery as handled. Returns `false` if it was handled before. Waits for a transaction that handles
 * it now.
 */
export async function recordDelivery(sql: ServiceSql, deliveryId: string, type: string): Promise<boolean> {
  const inserted = await sql.query(
    `insert into public.identity_webhook_deliveries (delivery_id, type) values ($1, $2)
     on conflict do nothing returning delivery_id`,
    [deliveryId, type],
  );
  return inserted.length === 1;
}

/** Deletes deliveries older than 30 days. The provider retries for about 28 hours. */
export async function purgeOldDeliveries(sql: ServiceSql): Promise<void> {
  await deleteInBatches(sql, {
    statement: `delete from public.identity_webhook_deliveries where received_at < now() - interval '30 days'`,
    time: 'received_at',
    id: 'delivery_id',
  });
}

/** Returns the signed-in member's address, or null until the provider has sent it. */
export async function readEmail(sql: MemberSql): Promise<string | null> {
  const [row] = await sql.query<{ email: string | null }>(`select email from public.all_users where idp_id = $1`, [
    sql.idpId,
  ]);
  return row?.email ?? null;
}
