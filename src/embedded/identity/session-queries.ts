import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Device } from './context.ts';
import type { Page } from './list-query.ts';
import { type ClientRow, selectMilliseconds, type SessionRow } from './rows.ts';

const CLIENT = `id, ${selectMilliseconds('created_at', 'updated_at')}`;
const IS_ACTIVE = `status = 'active' and expire_at > now()`;
const STATUS = `case when status = 'active' and expire_at <= now() then 'expired' else status end`;
const SESSION = `id, client_id, user_id, ${STATUS} as status, ip_address, user_agent,
  floor(extract(epoch from coalesce(reauthenticated_at, created_at)) * 1000)::float8 as verified_at,
  ${selectMilliseconds('second_factor_at', 'last_active_at', 'expire_at', 'created_at', 'updated_at')}`;

export async function insertClient(sql: ServiceSql, id: string, tokenHash: Buffer): Promise<ClientRow> {
  const [row] = await sql.query<ClientRow>(
    `insert into idp.clients (id, token_hash) values ($1, $2) returning ${CLIENT}`,
    [id, tokenHash],
  );
  return row!;
}

export const findClient = (sql: ServiceSql, tokenHash: Buffer) =>
  queryFirstRow<ClientRow>(sql, `select ${CLIENT} from idp.clients where token_hash = $1`, [tokenHash]);

/** Gives the client a new secret. Returns no row if the old secret was replaced in between. */
export const rotateClient = (sql: ServiceSql, id: string, oldHash: Buffer, newHash: Buffer) =>
  queryFirstRow<ClientRow>(
    sql,
    `update idp.clients set token_hash = $3, updated_at = now() where id = $1 and token_hash = $2 returning ${CLIENT}`,
    [id, oldHash, newHash],
  );

interface NewSession {
  id: string;
  clientId: string;
  userId: string;
  device: Device;
  lifetimeSeconds: number;
  /** Whether the user proved the second factor. */
  hasSecondFactor: boolean;
}

/** Creates a session and records the sign-in on the user and the device. */
export async function insertSession(sql: ServiceSql, { device, ...session }: NewSession): Promise<SessionRow> {
  const [row] = await sql.query<SessionRow>(
    `with person as (update idp.users set last_sign_in_at = now(), last_active_at = now() where id = $3),
     device as (
       insert into idp.known_devices (client_id, user_id) values ($2, $3)
       on conflict (client_id, user_id) do update set signed_in_at = now()
     )
     insert into idp.sessions (id, client_id, user_id, ip_address, user_agent, expire_at, second_factor_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), case when $7 then now() end)
     returning ${SESSION}`,
    [
      session.id,
      session.clientId,
      session.userId,
      device.ipAddress,
      device.userAgent,
      session.lifetimeSeconds,
      session.hasSecondFactor,
    ],
  );
  return row!;
}

/** Returns whether the client has signed in to the account with this address (in lower case) before. */
export async function isKnownDevice(sql: ServiceSql, clientId: string, email: string): Promise<boolean> {
  const found = await sql.query(
    `select from idp.known_devices d join idp.users u on u.id = d.user_id
     where d.client_id = $1 and lower(u.email) = $2`,
    [clientId, email],
  );
  return found.length > 0;
}

/** Deletes the user's devices except `exceptClientId`, or all of them if it is null. */
export async function deleteOtherDevices(
  sql: ServiceSql,
  userId: string,
  exceptClientId: string | null,
): Promise<void> {
  await sql.query(`delete from idp.known_devices where user_id = $1 and client_id is distinct from $2`, [
    userId,
    exceptClientId,
  ]);
}

export const findSession = (sql: ServiceSql, id: string) =>
  queryFirstRow<SessionRow>(sql, `select ${SESSION} from idp.sessions where id = $1`, [id]);

/** Returns the client's active sessions, most recently used first. */
export const listClientSessions = (sql: ServiceSql, clientId: string) =>
  sql.query<SessionRow>(
    `select ${SESSION} from idp.sessions s where client_id = $1 and ${IS_ACTIVE} order by s.last_active_at desc, s.id`,
    [clientId],
  );

/** Records activity on an active session. Returns no row if the session has ended or belongs to another client. */
export async function touchSession(sql: ServiceSql, id: string, clientId: string): Promise<SessionRow | undefined> {
  const session = await queryFirstRow<SessionRow>(
    sql,
    `update idp.sessions set last_active_at = now()
     where id = $1 and client_id = $2 and ${IS_ACTIVE} returning ${SESSION}`,
    [id, clientId],
  );
  // In a transaction of its own: a revocation locks the user before its sessions, so both locks at once could deadlock.
  if (session) await sql.query(`update idp.users set last_active_at = now() where id = $1`, [session.user_id]);
  return session;
}

/**
 * Records that the user has entered all credentials again, and whether they stand for two factors. Returns no row if
 * the session has ended.
 */
export const markReauthenticated = (sql: ServiceSql, id: string, hasSecondFactor = false) =>
  queryFirstRow<SessionRow>(
    sql,
    `update idp.sessions
     set reauthenticated_at = now(), second_factor_at = case when $2 then now() else second_factor_at end
     where id = $1 and ${IS_ACTIVE} returning ${SESSION}`,
    [id, hasSecondFactor],
  );

/** Records that a user with a second factor has entered the password again. Returns no row if the session has ended. */
export const markFirstFactor = (sql: ServiceSql, id: string) =>
  queryFirstRow<SessionRow>(
    sql,
    `update idp.sessions set first_factor_at = now() where id = $1 and ${IS_ACTIVE} returning ${SESSION}`,
    [id],
  );

/**
 * Records that the second factor followed the password. Returns no row if the session has ended, or the password was
 * not entered within the last ten minutes.
 */
export const markSecondFactor = (sql: ServiceSql, id: string) =>
  queryFirstRow<SessionRow>(
    sql,
    `update idp.sessions set reauthenticated_at = now(), second_factor_at = now(), first_factor_at = null
     where id = $1 and ${IS_ACTIVE} and first_factor_at > now() - interval '10 minutes' returning ${SESSION}`,
    [id],
  );

/** Records that the user turned the second factor on in this session. */
export async function markNewSecondFactor(sql: ServiceSql, id: string): Promise<void> {
  await sql.query(`update idp.sessions set second_factor_at = now() where id = $1`, [id]);
}

/** Ends an active session. Returns no row if it had ended, so that only one of two concurrent callers gets the row. */
export const closeSession = (sql: ServiceSql, id: string, status: 'ended' | 'removed' | 'revoked') =>
  queryFirstRow<SessionRow>(
    sql,
    `update idp.sessions set status = $2, updated_at = now() where id = $1 and ${IS_ACTIVE} returning ${SESSION}`,
    [id, status],
  );

/** Ends the user's active sessions except `exceptId`, or all of them if it is null. */
export const closeOtherSessions = (sql: ServiceSql, userId: string, exceptId: string | null) =>
  sql.query<SessionRow>(
    `update idp.sessions set status = 'revoked', updated_at = now()
     where user_id = $1 and ($2::text is null or id <> $2) and ${IS_ACTIVE} returning ${SESSION}`,
    [userId, exceptId],
  );

/** Returns the number of active sessions of each user, 0 for an unknown one. */
export async function countActiveSessions(
  sql: ServiceSql,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ id: string; count: number }>(
    `select w.id, count(s.id)::int as count
       from unnest($1::text[]) w (id) left join idp.sessions s on s.user_id = w.id and ${IS_ACTIVE}
      group by w.id`,
    [userIds],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

interface SessionFilter {
  userId?: string | undefined;
  clientId?: string | undefined;
  status?: string | undefined;
}

const FILTER = `($1::text is null or user_id = $1) and ($2::text is null or client_id = $2)
  and ($3::text is null or ${STATUS} = $3)`;

/** Returns sessions, newest first. */
export const listSessions = (sql: ServiceSql, filter: SessionFilter, page: Page) =>
  sql.query<SessionRow>(
    `select ${SESSION} from idp.sessions s where ${FILTER} order by s.created_at desc, s.id desc limit $4 offset $5`,
    [filter.userId, filter.clientId, filter.status, page.limit, page.offset],
  );

export async function countSessions(sql: ServiceSql, filter: SessionFilter): Promise<number> {
  const [row] = await sql.query<{ count: number }>(`select count(*)::int as count from idp.sessions where ${FILTER}`, [
    filter.userId,
    filter.clientId,
    filter.status,
  ]);
  return row!.count;
}

/**
 * Deletes sessions, browsers, tickets, links and invitations that ended 30 days ago. Deletes sign-ins and challenges
 * that expired and authenticator apps that were never verified. A device is stored for the lifetime of its cookie.
 */
export async function purgeOldSessions(sql: ServiceSql): Promise<void> {
  const cutoff = `now() - interval '30 days'`;
  await sql.query(
    `delete from idp.sessions where expire_at < ${cutoff} or (status <> 'active' and updated_at < ${cutoff})`,
  );
  await sql.query(`delete from idp.known_devices where signed_in_at < now() - interval '400 days'`);
  await sql.query(
    `delete from idp.clients c
     where c.updated_at < ${cutoff} and not exists (select from idp.sessions s where s.client_id = c.id)
       and not exists (select from idp.known_devices d where d.client_id = c.id)`,
  );
  await sql.query(
    `delete from idp.sign_in_tokens where expires_at < ${cutoff} or (status <> 'pending' and updated_at < ${cutoff})`,
  );
  await sql.query('delete from idp.passkey_challenges where expires_at < now()');
  await sql.query(`delete from idp.one_time_links where expires_at < ${cutoff}`);
  await sql.query(`delete from idp.pending_sign_ins where expires_at < now()`);
  await sql.query(`delete from idp.totp_factors where verified_at is null and created_at < now() - interval '1 day'`);
  await sql.query(
    `delete from idp.invitations where expires_at < ${cutoff} or accepted_at < ${cutoff} or revoked_at < ${cutoff}`,
  );
}
