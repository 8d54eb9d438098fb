import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { type PasskeyChallengeRow, type PasskeyCredentialRow, type PasskeyRow, selectMilliseconds } from './rows.ts';

const PASSKEY = `id, name, ${selectMilliseconds('created_at', 'updated_at', 'last_used_at')}`;
const CREDENTIAL = `id, user_id, credential_id, public_key, counter::float8 as counter, transports, backed_up`;

/** Inserts a passkey. Returns `undefined` if the credential is registered already. */
export const insertPasskey = (sql: ServiceSql, passkey: PasskeyCredentialRow & Pick<PasskeyRow, 'name'>) =>
  queryFirstRow<PasskeyRow>(
    sql,
    `insert into idp.passkeys (id, user_id, name, credential_id, public_key, counter, transports, backed_up)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (credential_id) do nothing
     returning ${PASSKEY}`,
    [
      passkey.id,
      passkey.user_id,
      passkey.name,
      passkey.credential_id,
      passkey.public_key,
      passkey.counter,
      passkey.transports,
      passkey.backed_up,
    ],
  );

/** Returns the passkeys of a user with their public keys. */
export const listCredentials = (sql: ServiceSql, userId: string) =>
  sql.query<PasskeyCredentialRow>(`select ${CREDENTIAL} from idp.passkeys where user_id = $1`, [userId]);

/** Returns the passkey with the authenticator's identifier. */
export const findCredential = (sql: ServiceSql, credentialId: string) =>
  queryFirstRow<PasskeyCredentialRow>(sql, `select ${CREDENTIAL} from idp.passkeys where credential_id = $1`, [
    credentialId,
  ]);

/**
 * Stores a use with the authenticator's new counter. Returns no row if the passkey was removed, or if an earlier use
 * has the same or a higher counter, as with a copied passkey. Authenticators without a counter always send 0.
 */
export const updatePasskeyUse = (
  sql: ServiceSql,
  { id, counter, backedUp }: { id: string; counter: number; backedUp: boolean },
) =>
  queryFirstRow<{ user_id: string }>(
    sql,
    `update idp.passkeys set counter = $2, backed_up = $3, last_used_at = now()
     where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning user_id`,
    [id, counter, backedUp],
  );

/** Renames a passkey of the user. Returns no row if there is none. */
export const renamePasskey = (sql: ServiceSql, userId: string, id: string, name: string) =>
  queryFirstRow<PasskeyRow>(
    sql,
    `update idp.passkeys set name = $3, updated_at = now() where user_id = $1 and id = $2 returning ${PASSKEY}`,
    [userId, id, name],
  );

/** Deletes a passkey of the user. Returns whether there was one. */
export async function deletePasskey(sql: ServiceSql, userId: string, id: string): Promise<boolean> {
  const rows = await sql.query('delete from idp.passkeys where user_id = $1 and id = $2 returning id', [userId, id]);
  return rows.length === 1;
}

/**
 * Stores a challenge for `lifetimeSeconds` in place of one with the same id. Returns when it expires, in ms since 1970.
 */
export async function storeChallenge(
  sql: ServiceSql,
  challenge: PasskeyChallengeRow,
  lifetimeSeconds: number,
): Promise<number> {
  const [row] = await sql.query<{ expires_at: number }>(
    `insert into idp.passkey_challenges (id, purpose, challenge, session_id, browser_hash, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
     on conflict (id) do update set challenge = excluded.challenge, expires_at = excluded.expires_at
     returning ${selectMilliseconds('expires_at')}`,
    [
      challenge.id,
      challenge.purpose,
      challenge.challenge,
      challenge.session_id,
      challenge.browser_hash,
      lifetimeSeconds,
    ],
  );
  return row!.expires_at;
}

/** Deletes an unexpired challenge of this scope and returns it, so that only one of several callers gets it. */
export const takeChallenge = (sql: ServiceSql, scope: Omit<PasskeyChallengeRow, 'challenge'>) =>
  queryFirstRow<PasskeyChallengeRow>(
    sql,
    `delete from idp.passkey_challenges
     where id = $1 and purpose = $2 and expires_at > now()
       and session_id is not distinct from $3 and browser_hash is not distinct from $4
     returning id, purpose, challenge, session_id, browser_hash`,
    [scope.id, scope.purpose, scope.session_id, scope.browser_hash],
  );

/** Deletes the challenges of every session of the user. */
export async function deleteChallenges(sql: ServiceSql, userId: string): Promise<void> {
  await sql.query(
    `delete from idp.passkey_challenges where session_id in (select id from idp.sessions where user_id = $1)`,
    [userId],
  );
}

/** Deletes every passkey of the user. Returns whether there was one. */
export async function deletePasskeys(sql: ServiceSql, userId: string): Promise<boolean> {
  const rows = await sql.query('delete from idp.passkeys where user_id = $1 returning id', [userId]);
  return rows.length > 0;
}
