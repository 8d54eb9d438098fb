import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';

export interface RevocationRow {
  id: string;
  idp_user_id: string;
  token_id: string | null;
  session_id: string | null;
  revoked_at: Date | null;
  ticket_outcome: string | null;
  session_outcome: string | null;
  /** Whether the ticket has expired, including a ticket that was created a little later than requested. */
  ticket_is_over: boolean;
}

/**
 * Records the request of a revocation. After its commit no session is bound, and the gate rejects the bound session.
 */
export const requestRevocation = (sql: ServiceSql, id: string) =>
  queryFirstRow<RevocationRow>(
    sql,
    `update public.demo_access_invitations
        set revoke_requested_at = least(revoke_requested_at, now()),
            next_attempt_at =
              case when revoked_at is null then coalesce(next_attempt_at, now() + interval '30 seconds') end
      where id = $1
      returning id, idp_user_id, token_id, session_id, revoked_at, ticket_outcome, session_outcome,
        expires_at + interval '1 minute' <= now() as ticket_is_over`,
    [id],
  );

export async function storeTicketOutcome(
  sql: ServiceSql,
  id: string,
  outcome: 'revoked' | 'consumed' | 'not_found' | 'expired',
): Promise<void> {
  await sql.query(`update public.demo_access_invitations set ticket_outcome = $2 where id = $1`, [id, outcome]);
}

export async function storeSessionOutcome(sql: ServiceSql, id: string, outcome: 'over' | 'not_found'): Promise<void> {
  await sql.query(`update public.demo_access_invitations set session_outcome = $2 where id = $1`, [id, outcome]);
}

/** SQL condition: a link was or may have been used, and no session is recorded. An active session may then exist. */
const MAY_HAVE_UNRECORDED_SESSION = `session_id is null and coalesce(ticket_outcome in ('consumed', 'not_found'), false)`;

/**
 * Completes a revocation whose ticket and session have ended. Returns whether the link may have created an unrecorded
 * session.
 */
export async function finishRevocation(sql: ServiceSql, id: string): Promise<boolean> {
  const [row] = await sql.query<{ may_have_unrecorded: boolean }>(
    `update public.demo_access_invitations
        set revoked_at = least(revoked_at, now()), next_attempt_at = null where id = $1
      returning ${MAY_HAVE_UNRECORDED_SESSION} as may_have_unrecorded`,
    [id],
  );
  return row?.may_have_unrecorded ?? false;
}

/** Delays the reconciler by the time that the provider requests, an hour at most. */
export async function scheduleRetry(sql: ServiceSql, id: string, seconds: number): Promise<void> {
  await sql.query(
    `update public.demo_access_invitations
        set next_attempt_at = greatest(next_attempt_at, now() + make_interval(secs => least($2::float8, 3600)))
      where id = $1 and revoked_at is null`,
    [id, seconds],
  );
}

/**
 * Claims due revocations, each for one reconciler. The next attempt is delayed by a minute, doubled at each attempt up
 * to an hour. An invitation without a response for its ticket is due after the ticket has expired.
 */
export async function claimDueRevocations(sql: ServiceSql, limit: number): Promise<{ id: string }[]> {
  return sql.query<{ id: string }>(
    `update public.demo_access_invitations
        set attempts = attempts + 1,
            next_attempt_at = now() + least(interval '1 hour', interval '1 minute' * (2 ^ least(attempts, 6)))
      where id in (
        select id from public.demo_access_invitations
         where revoked_at is null and next_attempt_at <= now()
         order by next_attempt_at limit $1 for update skip locked)
      returning id`,
    [limit],
  );
}

/** Returns the number of unconfirmed revocations, and the age of the oldest in seconds. */
export async function readPendingRevocations(sql: ServiceSql): Promise<{ pending: number; oldest: number }> {
  const [row] = await sql.query<{ pending: number; oldest: number }>(
    `select count(*)::int as pending,
            coalesce(date_part('epoch', now() - min(coalesce(revoke_requested_at, created_at))), 0) as oldest
       from public.demo_access_invitations
      where revoked_at is null
        and (revoke_requested_at is not null or (token_id is null and created_at < now() - interval '1 minute'))`,
  );
  return row!;
}
