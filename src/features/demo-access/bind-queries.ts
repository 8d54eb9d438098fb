import { createHash } from 'node:crypto';
import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { SessionSnapshot } from './queries.ts';

export interface BindRow {
  idp_user_id: string;
  ticket_hash: Buffer | null;
  created_at: Date;
  session_id: string | null;
  is_revoked: boolean;
  is_expired: boolean;
}

/** Hashes a ticket for storage. A plain hash suffices, because tickets are long and random. */
export const hashTicket = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();

/** Returns an invitation for a sign-in. */
export const selectForBinding = (sql: ServiceSql, id: string) =>
  queryFirstRow<BindRow>(
    sql,
    `select idp_user_id, ticket_hash, created_at, session_id, revoke_requested_at is not null as is_revoked,
            expires_at <= clock_timestamp() as is_expired
       from public.demo_access_invitations where id = $1`,
    [id],
  );

/** Locks a session until the end of the transaction, so that its end and its binding are serialized. */
export async function lockSession(sql: ServiceSql, sessionId: string): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('demo-access ' || $1, 0))`, [sessionId]);
}

/** Returns whether the end of a session was requested, confirmed or not. Such a session is never bound. */
export async function isTerminationRequested(sql: ServiceSql, sessionId: string): Promise<boolean> {
  const [row] = await sql.query<{ is_requested: boolean }>(
    `select exists (select from public.demo_access_audit
                     where session_id = $1 and action = 'session.revoke' and outcome = 'intent') as is_requested`,
    [sessionId],
  );
  return row!.is_requested;
}

/**
 * Binds a session to an unused invitation in one statement. Returns `false` if the invitation was used, revoked or has
 * expired. Throws a unique violation (23505) if another invitation has the session.
 */
export async function bindSession(
  sql: ServiceSql,
  { id, ticketHash, session }: { id: string; ticketHash: Buffer; session: SessionSnapshot },
): Promise<boolean> {
  const bound = await sql.query(
    `update public.demo_access_invitations
        set used_at = now(), session_id = $3, session_status = $4, session_last_active_at = $5,
            session_expires_at = $6, session_read_at = now()
      where id = $1 and ticket_hash = $2 and used_at is null and revoke_requested_at is null
        and clock_timestamp() < expires_at
      returning id`,
    [id, ticketHash, session.sessionId, session.status, session.lastActiveAt, session.expiresAt],
  );
  return bound.length === 1;
}
