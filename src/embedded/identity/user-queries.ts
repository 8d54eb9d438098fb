import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Page } from './list-query.ts';
import { selectMilliseconds, type UserRow } from './rows.ts';

// One read of a user returns the passkeys too, as every response about a user lists them.
const PASSKEYS = `(select coalesce(json_agg(p order by p.created_at, p.id), '[]') from (
    select id, name, ${selectMilliseconds('created_at', 'updated_at', 'last_used_at')}
    from idp.passkeys where user_id = users.id
  ) p) as passkeys`;
const COLUMNS = `id, email, email_address_id, new_email, new_email_id, password_hash, first_name, last_name,
  public_metadata, private_metadata, unsafe_metadata,
  (select floor(extract(epoch from f.verified_at) * 1000)::float8 from idp.totp_factors f
    where f.user_id = users.id) as totp_enabled_at,
  exists (select from idp.recovery_codes r where r.user_id = users.id) as has_recovery_codes,
  ${selectMilliseconds('email_verified_at', 'created_at', 'updated_at', 'last_sign_in_at', 'last_active_at')},
  ${PASSKEYS}`;

const UNIQUE_VIOLATION = '23505';

/** Fields that users may change themselves. */
export interface Profile {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  unsafe_metadata?: Record<string, unknown> | undefined;
}

export interface NewUser extends Profile {
  id: string;
  email: string;
  email_address_id: string;
  password_hash: string | null;
  public_metadata?: object | undefined;
  private_metadata?: object | undefined;
}

/** Inserts a user. Returns `undefined` if the address is taken. */
export const insertUser = (sql: ServiceSql, user: NewUser) =>
  queryFirstRow<UserRow>(
    sql,
    `insert into idp.users (id, email, email_address_id, password_hash, password_updated_at, first_name, last_name,
                            public_metadata, private_metadata, unsafe_metadata)
     values ($1, $2, $3, $4, case when $4::text is null then null else now() end, $5, $6, $7, $8, $9)
     on conflict do nothing
     returning ${COLUMNS}`,
    [
      user.id,
      user.email,
      user.email_address_id,
      user.password_hash,
      user.first_name ?? null,
      user.last_name ?? null,
      JSON.stringify(user.public_metadata ?? {}),
      JSON.stringify(user.private_metadata ?? {}),
      JSON.stringify(user.unsafe_metadata ?? {}),
    ],
  );

export const findUser = (sql: ServiceSql, id: string) =>
  queryFirstRow<UserRow>(sql, `select ${COLUMNS} from idp.users where id = $1`, [id]);

/** Locks the user's row until the transaction ends, and returns it for a change that depends on its values. */
export async function lockUser(sql: ServiceSql, id: string): Promise<UserRow | undefined> {
  await sql.query('select from idp.users where id = $1 for update', [id]);
  // A separate statement, so that it sees what was committed while the first one waited for the lock.
  return findUser(sql, id);
}

export const findUserByEmail = (sql: ServiceSql, email: string) =>
  queryFirstRow<UserRow>(sql, `select ${COLUMNS} from idp.users where lower(email) = lower($1)`, [email]);

/** Returns the user whose `private_metadata.role` the seed set. Returns the oldest if there are several. */
export const findUserByRole = (sql: ServiceSql, role: string) =>
  queryFirstRow<UserRow>(
    sql,
    `select ${COLUMNS} from idp.users where private_metadata ->> 'role' = $1 order by created_at, id limit 1`,
    [role],
  );

/** Private metadata of the users that a first run creates, until it is complete. */
export const UNFINISHED_FIRST_RUN = { first_run: 'unfinished' };

/** Returns whether a first run created users and was interrupted. */
export async function hasUnfinishedFirstRun(sql: ServiceSql): Promise<boolean> {
  const found = await sql.query(`select from idp.users where private_metadata @> $1 limit 1`, [
    JSON.stringify(UNFINISHED_FIRST_RUN),
  ]);
  return found.length > 0;
}

/** Records that the first run is complete, so that no start changes its users. */
export async function endFirstRun(sql: ServiceSql): Promise<void> {
  await sql.query(
    `update idp.users set private_metadata = private_metadata - 'first_run' where private_metadata @> $1`,
    [JSON.stringify(UNFINISHED_FIRST_RUN)],
  );
}

interface UserFilter {
  /** Addresses in lower case. */
  emails: readonly string[] | undefined;
  ids: readonly string[] | undefined;
}

const FILTER = `($1::text[] is null or lower(email) = any ($1)) and ($2::text[] is null or id = any ($2))`;

/** Returns users, newest first. */
export const listUsers = (sql: ServiceSql, { emails, ids }: UserFilter, page: Page) =>
  sql.query<UserRow>(
    `select ${COLUMNS} from idp.users where ${FILTER} order by users.created_at desc, users.id desc limit $3 offset $4`,
    [emails, ids, page.limit, page.offset],
  );

export async function countUsers(sql: ServiceSql, { emails, ids }: UserFilter): Promise<number> {
  const [row] = await sql.query<{ count: number }>(`select count(*)::int as count from idp.users where ${FILTER}`, [
    emails,
    ids,
  ]);
  return row!.count;
}

/** Deletes a user with sessions and sign-in tokens. Returns the address, or `undefined` if there is no such user. */
export async function deleteUser(sql: ServiceSql, id: string): Promise<string | undefined> {
  const [row] = await sql.query<{ email: string }>(`delete from idp.users where id = $1 returning email`, [id]);
  return row?.email;
}

/** Records a change of what belongs to the user, and returns the row. */
export const touchUser = (sql: ServiceSql, id: string) =>
  queryFirstRow<UserRow>(sql, `update idp.users set updated_at = now() where id = $1 returning ${COLUMNS}`, [id]);

/** Replaces the fields that users may change. An absent field keeps its value. */
export const updateProfile = (sql: ServiceSql, id: string, change: Profile) =>
  queryFirstRow<UserRow>(
    sql,
    `update idp.users
     set first_name = coalesce($2, first_name), last_name = coalesce($3, last_name),
         unsafe_metadata = coalesce($4::jsonb, unsafe_metadata), updated_at = now()
     where id = $1 returning ${COLUMNS}`,
    [
      id,
      change.first_name ?? null,
      change.last_name ?? null,
      change.unsafe_metadata ? JSON.stringify(change.unsafe_metadata) : null,
    ],
  );

/** Sets the new hash only if the old one is still stored, so that one of two concurrent changes fails. */
export const replacePassword = (sql: ServiceSql, id: string, oldHash: string, newHash: string) =>
  queryFirstRow<UserRow>(
    sql,
    `update idp.users set password_hash = $3, password_updated_at = now(), updated_at = now()
     where id = $1 and password_hash = $2 returning ${COLUMNS}`,
    [id, oldHash, newHash],
  );

/** Sets the hash and returns the row. Returns `undefined` if the user does not exist. */
export const overwritePassword = (sql: ServiceSql, id: string, hash: string) =>
  queryFirstRow<UserRow>(
    sql,
    `update idp.users set password_hash = $2, password_updated_at = now() where id = $1 returning ${COLUMNS}`,
    [id, hash],
  );

/** Records that a link sent to the address was opened. Returns `undefined` if the user has another address by now. */
export const markEmailVerified = (sql: ServiceSql, id: string, email: string) =>
  queryFirstRow<UserRow>(
    sql,
    `update idp.users set email_verified_at = coalesce(email_verified_at, now()), updated_at = now()
     where id = $1 and email = $2 returning ${COLUMNS}`,
    [id, email],
  );

/** Stores the address that replaces the user's once it is verified, or removes it with nulls. */
export const setNewEmail = (sql: ServiceSql, id: string, email: string | null, emailId: string | null) =>
  queryFirstRow<UserRow>(
    sql,
    `update idp.users set new_email = $2, new_email_id = $3, updated_at = now() where id = $1 returning ${COLUMNS}`,
    [id, email, emailId],
  );

/**
 * Replaces the address by the new one. Returns `undefined` if it is no longer the new one, or another user has it. Runs
 * in a transaction, which then rolls back.
 */
export async function adoptNewEmail(sql: ServiceSql, id: string, email: string): Promise<UserRow | undefined> {
  try {
    return await queryFirstRow<UserRow>(
      sql,
      `update idp.users
       set email = new_email, email_address_id = new_email_id, email_verified_at = now(), new_email = null,
           new_email_id = null, updated_at = now()
       where id = $1 and new_email = $2 returning ${COLUMNS}`,
      [id, email],
    );
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
}
