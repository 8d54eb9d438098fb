import type { MemberSql, ServiceSql } from '../database/roles.ts';

/** Makes the member's row where there is none yet; says whether the member may act (a deleted one may not). */
export async function ensureMember(sql: ServiceSql, idpId: string): Promise<boolean> {
  const [row] = await sql.query<{ living: boolean }>(
    `with made as (insert into public.all_users (idp_id) values ($1) on conflict do nothing returning deleted_at)
     select deleted_at is null as living from made
     union all
     select deleted_at is null from public.all_users where idp_id = $1
     limit 1`,
    [idpId],
  );
  // Neither made nor seen: another process made it in this very moment.
  return row?.living ?? true;
}

/** Keeps the newest that the provider said of a member, in whatever order it arrives; a deleted member stays deleted. */
export async function upsertMember(
  sql: ServiceSql,
  member: { idpId: string; email: string | null; createdAt: Date; updatedAt: Date },
): Promise<void> {
  await sql.query(
    `insert into public.all_users as known (idp_id, email, created_at, idp_updated_at) values ($1, $2, $3, $4)
     on conflict (idp_id) do update
     set email = excluded.email, created_at = excluded.created_at, idp_updated_at = excluded.idp_updated_at, updated_at = now()
     where known.deleted_at is null and coalesce(known.idp_updated_at <= excluded.idp_updated_at, true)`,
    [member.idpId, member.email, member.createdAt, member.updatedAt],
  );
}

/** Leaves a tombstone without the address; also for a member that was never seen, so that late news cannot make one. */
export async function markMemberDeleted(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(
    `insert into public.all_users as known (idp_id, deleted_at) values ($1, now())
     on conflict (idp_id) do update set email = null, deleted_at = coalesce(known.deleted_at, now()), updated_at = now()`,
    [idpId],
  );
}

/** Notes a webhook delivery as handled; `false` where it was before. Waits for another transaction that is handling it now. */
export async function recordDelivery(sql: ServiceSql, deliveryId: string, type: string): Promise<boolean> {
  const made = await sql.query(
    `insert into public.identity_webhook_deliveries (delivery_id, type) values ($1, $2) on conflict do nothing returning delivery_id`,
    [deliveryId, type],
  );
  return made.length === 1;
}

/** Forgets deliveries older than 30 days; the provider retries for about 28 hours. */
export async function forgetOldDeliveries(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from public.identity_webhook_deliveries where received_at < now() - interval '30 days'`);
}

/** The signed-in member's address; null until the provider has told it. */
export async function readOwnEmail(sql: MemberSql): Promise<string | null> {
  const [row] = await sql.query<{ email: string | null }>(`select email from public.all_users`);
  return row?.email ?? null;
}
