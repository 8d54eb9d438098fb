import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { findMemberByReferralLink, isMember } from '../../platform/identity/queries.ts';
import type { ReferralMonth, ReferralStats } from './contract.ts';

type Source = 'public' | 'webhook' | 'operator';
type Status = 'signed_up' | 'completed';

/** Serializes tracking, completion and deletion of one member until the transaction ends. */
export async function lockReferralOfMember(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('referred:' || $1, 0))`, [idpId]);
}

/** Returns the member with this link, or else with this identifier. */
export async function findReferrer(sql: ServiceSql, linkOrId: string): Promise<string | undefined> {
  const member = await findMemberByReferralLink(sql, linkOrId);
  if (member !== undefined) return member;
  return (await isMember(sql, linkOrId)) ? linkOrId : undefined;
}

type ReferralOfMember = Pick<ListedReferral, 'id' | 'referrer_idp_id' | 'status'>;

/** Returns the referral of the referred member. */
export const selectReferralOfMember = (sql: ServiceSql, referred: string) =>
  queryFirstRow<ReferralOfMember>(
    sql,
    `select id, referrer_idp_id, status from public.referrals where referred_idp_id = $1`,
    [referred],
  );

/** Returns whether the member has connected a first account. */
export async function hasFirstConnection(sql: ServiceSql, idpId: string): Promise<boolean> {
  return (await sql.query(`select from public.first_connections where idp_id = $1`, [idpId])).length > 0;
}

export interface Attribution {
  referred: string;
  referrer: string;
  source: Source;
  signedUpAt: Date;
}

/**
 * Records the referral under the member's lock, completed if the member has a first connection. Replaces an uncompleted
 * referral of a weaker source. Returns `undefined` if the stored referral is kept.
 */
export const upsertReferral = (sql: ServiceSql, { referred, referrer, source, signedUpAt }: Attribution) =>
  queryFirstRow<{ status: Status; isNew: boolean }>(
    sql,
    `insert into public.referrals as stored
       (referred_idp_id, referrer_idp_id, source, signed_up_at, status, completed_at)
     select $1, $2, $3, $4, case when first.at is null then 'signed_up' else 'completed' end, first.at
       from (select (select connected_at from public.first_connections where idp_id = $1) as at) first
     on conflict (referred_idp_id) do update
       set referrer_idp_id = excluded.referrer_idp_id, source = excluded.source, status = excluded.status,
           signed_up_at = excluded.signed_up_at, completed_at = excluded.completed_at,
           recorded_at = excluded.recorded_at
       where stored.status = 'signed_up'
         and array_position(array['public', 'webhook', 'operator'], stored.source)
           < array_position(array['public', 'webhook', 'operator'], excluded.source)
     returning status, xmax = 0 as "isNew"`,
    [referred, referrer, source, signedUpAt],
  );

/** Deletes the member's uncompleted referral by an open call. Returns `false` if there is none. */
export async function withdrawPublicReferral(sql: ServiceSql, referred: string): Promise<boolean> {
  const deleted = await sql.query(
    `delete from public.referrals
      where referred_idp_id = $1 and source = 'public' and status = 'signed_up' returning id`,
    [referred],
  );
  return deleted.length === 1;
}

/** Completes the member's referral if they have a first connection. Returns `false` if there is nothing to complete. */
export async function completeReferral(sql: ServiceSql, referred: string): Promise<boolean> {
  const completed = await sql.query(
    `update public.referrals r set status = 'completed', completed_at = f.connected_at
       from public.first_connections f
      where f.idp_id = $1 and r.referred_idp_id = $1 and r.status = 'signed_up' returning r.id`,
    [referred],
  );
  return completed.length === 1;
}

/** Successful connection: its credential and at least one account are stored. */
export interface SuccessfulConnection {
  idpId: string;
  kind: 'bank' | 'brokerage';
  connectionId: string;
}

/** Records the member's first connection. Returns `false` if one was recorded before. */
export async function insertFirstConnection(
  sql: ServiceSql,
  { idpId, kind, connectionId }: SuccessfulConnection,
): Promise<boolean> {
  const inserted = await sql.query(
    `insert into public.first_connections (idp_id, kind, connection_id) values ($1, $2, $3)
     on conflict do nothing returning idp_id`,
    [idpId, kind, connectionId],
  );
  return inserted.length === 1;
}

const buildCycleCondition = (member: string): string => `exists (
  with recursive referrers as (
    select referrer_idp_id as idp_id from public.referrals where referred_idp_id = ${member}
    union
    select r.referrer_idp_id from referrers join public.referrals r on r.referred_idp_id = referrers.idp_id
  ) select from referrers where idp_id = ${member})`;

/** Returns whether the chain of referrers above the member leads back to the member. */
export async function hasReferralCycle(sql: ServiceSql, referred: string): Promise<boolean> {
  const [row] = await sql.query<{ has_cycle: boolean }>(`select ${buildCycleCondition('$1')} as has_cycle`, [referred]);
  return row!.has_cycle;
}

/** Referral for operators. Null stands for a deleted member. */
export interface ListedReferral {
  id: string;
  referred_idp_id: string | null;
  referrer_idp_id: string | null;
  source: Source;
  status: Status;
  signed_up_at: Date;
  completed_at: Date | null;
  recorded_at: Date;
  in_cycle: boolean;
}

/** Returns referrals after `after`, newest first, optionally of one referrer. */
export function selectReferrals(
  sql: ServiceSql,
  { referrer, after, limit }: { referrer?: string | undefined; after?: ListedReferral | undefined; limit: number },
): Promise<ListedReferral[]> {
  return sql.query<ListedReferral>(
    `select r.id, r.referred_idp_id, r.referrer_idp_id, r.source, r.status, r.signed_up_at, r.completed_at,
            r.recorded_at, ${buildCycleCondition('r.referred_idp_id')} as in_cycle
       from public.referrals r
      where ($1::text is null or r.referrer_idp_id = $1)
        and ($2::timestamptz is null or (r.recorded_at, r.id) < ($2, $3::uuid))
      order by r.recorded_at desc, r.id desc limit $4`,
    [referrer ?? null, after?.recorded_at ?? null, after?.id ?? null, limit],
  );
}

/** Records an attribution by an operator. */
export async function insertAuditEntry(
  sql: ServiceSql,
  entry: {
    referralId: string;
    action: 'attributed' | 'replaced';
    reason: string;
    referrer: string;
    previous: string | null;
  },
): Promise<void> {
  await sql.query(
    `insert into public.referral_audit (referral_id, action, reason, referrer_idp_id, previous_referrer_idp_id)
     values ($1, $2, $3, $4, $5)`,
    [entry.referralId, entry.action, entry.reason, entry.referrer, entry.previous],
  );
}

export async function countReferrals(sql: ServiceSql, referrer: string): Promise<ReferralStats> {
  const [row] = await sql.query<ReferralStats>(
    `select count(*)::int as total_signups, count(completed_at)::int as completed_referrals
       from public.referrals where referrer_idp_id = $1`,
    [referrer],
  );
  return row!;
}

/** Returns the last twelve months, oldest first. Months without referrals have zeros. */
export function countByMonth(sql: ServiceSql, referrer: string): Promise<ReferralMonth[]> {
  return sql.query<ReferralMonth>(
    `with months as (
       select generate_series(date_trunc('month', now(), 'UTC') at time zone 'UTC' - interval '11 months',
                              date_trunc('month', now(), 'UTC') at time zone 'UTC', interval '1 month') as start
     ), member_referrals as (
       select date_trunc('month', signed_up_at at time zone 'UTC') as signed_up,
              date_trunc('month', completed_at at time zone 'UTC') as completed
         from public.referrals where referrer_idp_id = $1
     )
     select to_char(start, 'YYYY-MM') as month,
            (select count(*)::int from member_referrals where signed_up = start) as signups,
            (select count(*)::int from member_referrals where completed = start) as completions
       from months order by start`,
    [referrer],
  );
}

/** Deletes a deleted member's data. A referral is kept for its other party, without the member. */
export async function deleteReferralsOfMember(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.first_connections where idp_id = $1`, [idpId]);
  // Ordered by id, to avoid a deadlock between deletions of two members who referred each other.
  await sql.query(
    `select from public.referrals where referred_idp_id = $1 or referrer_idp_id = $1 order by id for update`,
    [idpId],
  );
  await sql.query(
    `delete from public.referrals where (referred_idp_id = $1 and referrer_idp_id is null)
        or (referrer_idp_id = $1 and referred_idp_id is null)`,
    [idpId],
  );
  await sql.query(
    `update public.referrals
        set referred_idp_id = nullif(referred_idp_id, $1), referrer_idp_id = nullif(referrer_idp_id, $1)
      where referred_idp_id = $1 or referrer_idp_id = $1`,
    [idpId],
  );
  await sql.query(
    `update public.referral_audit
        set referrer_idp_id = nullif(referrer_idp_id, $1), previous_referrer_idp_id = nullif(previous_referrer_idp_id, $1)
      where referrer_idp_id = $1 or previous_referrer_idp_id = $1`,
    [idpId],
  );
}
