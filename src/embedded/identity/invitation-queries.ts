import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { type InvitationRow, selectMilliseconds } from './rows.ts';

const IS_PENDING = 'accepted_at is null and revoked_at is null and expires_at > now()';
const COLUMNS = `id, email, code_hash,
  case when accepted_at is not null then 'accepted' when revoked_at is not null then 'revoked'
       when expires_at <= now() then 'expired' else 'pending' end as status,
  ${selectMilliseconds('expires_at', 'created_at')}`;

export async function insertInvitation(
  sql: ServiceSql,
  invitation: Pick<InvitationRow, 'id' | 'email' | 'code_hash'>,
  lifetimeSeconds: number,
): Promise<InvitationRow> {
  const [row] = await sql.query<InvitationRow>(
    `insert into idp.invitations (id, email, code_hash, expires_at)
     values ($1, $2, $3, now() + make_interval(secs => $4)) returning ${COLUMNS}`,
    [invitation.id, invitation.email, invitation.code_hash, lifetimeSeconds],
  );
  return row!;
}

export const findInvitationById = (sql: ServiceSql, id: string) =>
  queryFirstRow<InvitationRow>(sql, `select ${COLUMNS} from idp.invitations where id = $1`, [id]);

/** Returns invitations, newest first. */
export const listInvitations = (sql: ServiceSql) =>
  sql.query<InvitationRow>(`select ${COLUMNS} from idp.invitations order by created_at desc, id`);

/** Uses a pending invitation up and removes its address. Returns no row if another caller was faster. */
export const closeInvitation = (sql: ServiceSql, id: string) =>
  queryFirstRow<InvitationRow>(
    sql,
    `update idp.invitations set accepted_at = now(), email = null where id = $1 and ${IS_PENDING} returning ${COLUMNS}`,
    [id],
  );

/** Revokes a pending invitation. Returns no row if it is not pending. */
export const revokePendingInvitation = (sql: ServiceSql, id: string) =>
  queryFirstRow<InvitationRow>(
    sql,
    `update idp.invitations set revoked_at = now(), email = null where id = $1 and ${IS_PENDING} returning ${COLUMNS}`,
    [id],
  );

/** Removes the address of a deleted user from invitations, which end with it. */
export async function forgetInvitedEmail(sql: ServiceSql, email: string): Promise<void> {
  await sql.query(
    `update idp.invitations set email = null, revoked_at = coalesce(revoked_at, now()) where lower(email) = lower($1)`,
    [email],
  );
}
