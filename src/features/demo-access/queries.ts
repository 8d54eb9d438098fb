import type { ServiceSql } from '../../platform/database/roles.ts';
import type { InvitationStatus } from './contract.ts';

/** Final session states of the provider. */
const ENDED_STATUSES = `('revoked', 'ended', 'expired', 'removed', 'abandoned', 'replaced', 'not_found')`;

const STATUS = `case
  when revoked_at is not null then 'revoked'
  when revoke_requested_at is not null or token_id is null then 'revocation_pending'
  when used_at is not null and (session_status in ${ENDED_STATUSES} or session_expires_at <= now()) then 'session_ended'
  when used_at is not null then 'in_use'
  when expires_at <= now() then 'link_expired'
  else 'unused' end`;

/** Records an invitation before its ticket is requested. Its lifetime starts here. */
export async function insertInvitation(
  sql: ServiceSql,
  { label, idpUserId }: { label: string; idpUserId: string },
): Promise<{ id: string; expires_at: Date }> {
  const [row] = await sql.query<{ id: string; expires_at: Date }>(
    `insert into public.demo_access_invitations (label, idp_user_id, next_attempt_at)
     values ($1, $2, now() + interval '24 hours 1 minute') returning id, expires_at`,
    [label, idpUserId],
  );
  return row!;
}

/** Stores the ticket's id and hash. Returns `false` if the invitation has been revoked in the meantime. */
export async function storeTicket(
  sql: ServiceSql,
  { id, ticketHash, tokenId }: { id: string; ticketHash: Buffer; tokenId: string },
): Promise<boolean> {
  const stored = await sql.query(
    `update public.demo_access_invitations set ticket_hash = $2, token_id = $3, next_attempt_at = null
      where id = $1 and token_id is null and revoke_requested_at is null returning id`,
    [id, ticketHash, tokenId],
  );
  return stored.length === 1;
}

/** Deletes an invitation whose ticket the provider rejected. */
export async function deleteFailedInvitation(sql: ServiceSql, id: string): Promise<void> {
  await sql.query(`delete from public.demo_access_invitations where id = $1 and token_id is null`, [id]);
}

/**
 * Closes an invitation whose link was never returned. It is revoked if its ticket is revoked, otherwise pending with
 * the known data of the ticket.
 */
export async function closeUnsentInvitation(
  sql: ServiceSql,
  id: string,
  ticket?: { ticketHash: Buffer; tokenId: string; isRevoked: boolean },
): Promise<void> {
  await sql.query(
    `update public.demo_access_invitations
        set revoke_requested_at = least(revoke_requested_at, now()),
            ticket_hash = coalesce(ticket_hash, $2), token_id = coalesce(token_id, $3),
            ticket_outcome = case when $4 then 'revoked' else ticket_outcome end,
            revoked_at = case when $4 and session_id is null then now() else revoked_at end,
            next_attempt_at = case when $3::text is null then next_attempt_at else now() end
      where id = $1`,
    [id, ticket?.ticketHash ?? null, ticket?.tokenId ?? null, ticket?.isRevoked ?? false],
  );
}

/** Deletes the invitations of a deleted account. The provider has ended its tickets and sessions. */
export async function deleteInvitations(sql: ServiceSql, idpUserId: string): Promise<void> {
  await sql.query(`delete from public.demo_access_invitations where idp_user_id = $1`, [idpUserId]);
}

export interface ListedRow {
  id: string;
  label: string;
  status: InvitationStatus;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
  idp_user_id: string;
  session_id: string | null;
  session_last_active_at: Date | null;
  session_expires_at: Date | null;
  session_status: string | null;
  session_is_over: boolean;
  /** Creation time in microseconds. A Date would round it to milliseconds. */
  created_exactly: string;
}

/** Returns a page of invitations, newest first, after the position `after`. */
export function selectInvitations(
  sql: ServiceSql,
  { limit, after }: { limit: number; after: { createdExactly: string; id: string } | undefined },
): Promise<ListedRow[]> {
  return sql.query<ListedRow>(
    `select id, label, ${STATUS} as status, created_at, expires_at, used_at, idp_user_id, session_id,
            session_last_active_at, session_expires_at, session_status,
            coalesce(session_status in ${ENDED_STATUSES}, false) as session_is_over,
            round(date_part('epoch', created_at) * 1000000)::bigint::text as created_exactly
       from public.demo_access_invitations
      where $2::bigint is null
         or (created_at, id) < (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid)
      order by created_at desc, id desc limit $1`,
    [limit, after?.createdExactly ?? null, after?.id ?? null],
  );
}

export interface SessionSnapshot {
  sessionId: string;
  status: string;
  lastActiveAt: Date | null;
  expiresAt: Date | null;
}

/** Stores session states from the provider. An ended session remains ended. */
export async function storeSessionSnapshots(sql: ServiceSql, snapshots: readonly SessionSnapshot[]): Promise<void> {
  if (snapshots.length === 0) return;
  await sql.query(
    `update public.demo_access_invitations i
        set session_status = f.status, session_read_at = now(),
            session_last_active_at = coalesce(f.last_active_at, i.session_last_active_at),
            session_expires_at = coalesce(f.expires_at, i.session_expires_at)
       from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[])
         as f (session_id, status, last_active_at, expires_at)
      where i.session_id = f.session_id and (i.session_status is null or i.session_status not in ${ENDED_STATUSES})`,
    [
      snapshots.map(({ sessionId }) => sessionId),
      snapshots.map(({ status }) => status),
      snapshots.map(({ lastActiveAt }) => lastActiveAt),
      snapshots.map(({ expiresAt }) => expiresAt),
    ],
  );
}

/** Returns the ids of the sessions that an invitation names. */
export async function findBoundSessions(sql: ServiceSql, sessionIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ session_id: string }>(
    `select session_id from public.demo_access_invitations where session_id = any ($1)`,
    [sessionIds],
  );
  return new Set(rows.map(({ session_id }) => session_id));
}

/**
 * Returns the state of a session for the gate: whether an invitation names it, and whether its revocation was
 * requested.
 */
export async function readGateState(sql: ServiceSql, sessionId: string): Promise<'unbound' | 'revoked' | 'valid'> {
  const [row] = await sql.query<{ revoked: boolean }>(
    `select revoke_requested_at is not null as revoked from public.demo_access_invitations where session_id = $1`,
    [sessionId],
  );
  if (row === undefined) return 'unbound';
  return row.revoked ? 'revoked' : 'valid';
}
