import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { type PendingSignInRow, selectMilliseconds, type TotpRow } from './rows.ts';

const TOTP = `id, user_id, secret, ${selectMilliseconds('verified_at', 'created_at', 'updated_at')}`;
const PENDING = `id, client_id, user_id, attempts, ${selectMilliseconds('expires_at')}`;

export const findTotp = (sql: ServiceSql, userId: string) =>
  queryFirstRow<TotpRow>(sql, `select ${TOTP} from idp.totp_factors where user_id = $1`, [userId]);

/** Stores a factor, which is off until the user enters a code. Returns no row if the user's factor is already on. */
export const storeTotp = (sql: ServiceSql, totp: Pick<TotpRow, 'id' | 'user_id' | 'secret'>) =>
  queryFirstRow<TotpRow>(
    sql,
    `insert into idp.totp_factors (id, user_id, secret) values ($1, $2, $3)
     on conflict (user_id) do update
       set id = excluded.id, secret = excluded.secret, created_at = now(), updated_at = now()
       where totp_factors.verified_at is null
     returning ${TOTP}`,
    [totp.id, totp.user_id, totp.secret],
  );

/**
 * Records the time step of an accepted code. Returns false if this or a later step was used, so no code works twice.
 */
export async function consumeTimeStep(sql: ServiceSql, userId: string, step: number): Promise<boolean> {
  const rows = await sql.query(
    `update idp.totp_factors set last_used_step = $2
     where user_id = $1 and (last_used_step is null or last_used_step < $2) returning user_id`,
    [userId, step],
  );
  return rows.length === 1;
}

/** Turns the factor on. Returns no row if it was on already. */
export const enableTotp = (sql: ServiceSql, userId: string) =>
  queryFirstRow<TotpRow>(
    sql,
    `update idp.totp_factors set verified_at = now(), updated_at = now()
     where user_id = $1 and verified_at is null returning ${TOTP}`,
    [userId],
  );

/** Deletes the factor, on or not. */
export async function deleteTotp(sql: ServiceSql, userId: string): Promise<void> {
  await sql.query(`delete from idp.totp_factors where user_id = $1`, [userId]);
}

/** Deletes every recovery code of the user. */
export async function deleteRecoveryCodes(sql: ServiceSql, userId: string): Promise<void> {
  await sql.query(`delete from idp.recovery_codes where user_id = $1`, [userId]);
}

/** Replaces every recovery code of the user. */
export async function replaceRecoveryCodes(sql: ServiceSql, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(sql, userId);
  await sql.query(
    `insert into idp.recovery_codes (user_id, code_hash) select $1, hash from unnest($2::bytea[]) as codes (hash)`,
    [userId, hashes],
  );
}

/** Deletes a recovery code. Returns whether there was one, so that each code works once. */
export async function consumeRecoveryCode(sql: ServiceSql, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await sql.query(
    `delete from idp.recovery_codes where user_id = $1 and code_hash = $2 returning user_id`,
    [userId, hash],
  );
  return rows.length === 1;
}

/** Stores a sign-in that waits for the second factor. */
export async function insertPendingSignIn(
  sql: ServiceSql,
  pending: Pick<PendingSignInRow, 'id' | 'client_id' | 'user_id'>,
  lifetimeSeconds: number,
): Promise<PendingSignInRow> {
  const [row] = await sql.query<PendingSignInRow>(
    `insert into idp.pending_sign_ins (id, client_id, user_id, expires_at)
     values ($1, $2, $3, now() + make_interval(secs => $4)) returning ${PENDING}`,
    [pending.id, pending.client_id, pending.user_id, lifetimeSeconds],
  );
  return row!;
}

/** Returns a sign-in of this browser that has not expired. */
export const findPendingSignIn = (sql: ServiceSql, id: string, clientId: string) =>
  queryFirstRow<PendingSignInRow>(
    sql,
    `select ${PENDING} from idp.pending_sign_ins where id = $1 and client_id = $2 and expires_at > now()`,
    [id, clientId],
  );

/** Counts an entered code. Returns no row if the sign-in has ended or expired. */
export const countCode = (sql: ServiceSql, id: string) =>
  queryFirstRow<PendingSignInRow>(
    sql,
    `update idp.pending_sign_ins set attempts = attempts + 1
     where id = $1 and expires_at > now() returning ${PENDING}`,
    [id],
  );

/** Deletes every sign-in of the user that waits for the second factor. */
export async function deletePendingSignIns(sql: ServiceSql, userId: string): Promise<void> {
  await sql.query(`delete from idp.pending_sign_ins where user_id = $1`, [userId]);
}
