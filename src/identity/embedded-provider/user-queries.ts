import type { ServiceSql } from '../../database/roles.ts';
import { milliseconds, type UserRow } from './rows.ts';

const COLUMNS = `id, email, email_address_id, password_hash, first_name, last_name,
  public_metadata, private_metadata, unsafe_metadata,
  ${milliseconds('created_at', 'updated_at', 'last_sign_in_at', 'last_active_at')}`;

export interface NewUser {
  id: string;
  email: string;
  emailAddressId: string;
  passwordHash: string | null;
  firstName?: string | null;
  lastName?: string | null;
  publicMetadata?: object;
  privateMetadata?: object;
  unsafeMetadata?: object;
}

/** The new row, or `undefined` where the address or the id is taken. */
export async function insertUser(sql: ServiceSql, user: NewUser): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(
    `insert into idp.users (id, email, email_address_id, password_hash, password_updated_at, first_name, last_name,
                            public_metadata, private_metadata, unsafe_metadata)
     values ($1, $2, $3, $4, case when $4::text is null then null else now() end, $5, $6, $7, $8, $9)
     on conflict do nothing
     returning ${COLUMNS}`,
    [
      user.id,
      user.email,
      user.emailAddressId,
      user.passwordHash,
      user.firstName ?? null,
      user.lastName ?? null,
      JSON.stringify(user.publicMetadata ?? {}),
      JSON.stringify(user.privateMetadata ?? {}),
      JSON.stringify(user.unsafeMetadata ?? {}),
    ],
  );
  return row;
}

export async function findUser(sql: ServiceSql, id: string): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(`select ${COLUMNS} from idp.users where id = $1`, [id]);
  return row;
}

/** The person's row, held until the transaction ends, for a change that depends on what stands there. */
export async function lockUser(sql: ServiceSql, id: string): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(`select ${COLUMNS} from idp.users where id = $1 for update`, [id]);
  return row;
}

export async function findUserByEmail(sql: ServiceSql, email: string): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(`select ${COLUMNS} from idp.users where lower(email) = lower($1)`, [email]);
  return row;
}

/** Whom the seed marked with `private_metadata.role`; the oldest where several carry it. */
export async function findUserByRole(sql: ServiceSql, role: string): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(
    `select ${COLUMNS} from idp.users where private_metadata ->> 'role' = $1 order by created_at, id limit 1`,
    [role],
  );
  return row;
}

interface UserFilter {
  emails: readonly string[] | null;
  ids: readonly string[] | null;
}

const FILTER = `($1::text[] is null or lower(email) = any ($1)) and ($2::text[] is null or id = any ($2))`;

/** Newest first. */
export async function listUsers(
  sql: ServiceSql,
  filter: UserFilter,
  limit: number,
  offset: number,
): Promise<UserRow[]> {
  return sql.query<UserRow>(
    `select ${COLUMNS} from idp.users u where ${FILTER} order by u.created_at desc, u.id desc limit $3 offset $4`,
    [lowered(filter.emails), filter.ids, limit, offset],
  );
}

export async function countUsers(sql: ServiceSql, filter: UserFilter): Promise<number> {
  const [row] = await sql.query<{ count: number }>(`select count(*)::int as count from idp.users where ${FILTER}`, [
    lowered(filter.emails),
    filter.ids,
  ]);
  return row?.count ?? 0;
}

const lowered = (emails: readonly string[] | null): string[] | null =>
  emails?.map((email) => email.toLowerCase()) ?? null;

/** Whether there was one; sessions and sign-in tokens go with it. */
export async function deleteUser(sql: ServiceSql, id: string): Promise<boolean> {
  return (await sql.query(`delete from idp.users where id = $1 returning id`, [id])).length === 1;
}

/** Replaces what the person may write themselves; `null` leaves a field as it is. */
export async function updateProfile(
  sql: ServiceSql,
  id: string,
  change: { firstName: string | null; lastName: string | null; unsafeMetadata: object | null },
): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(
    `update idp.users
     set first_name = coalesce($2, first_name), last_name = coalesce($3, last_name),
         unsafe_metadata = coalesce($4::jsonb, unsafe_metadata), updated_at = now()
     where id = $1 returning ${COLUMNS}`,
    [id, change.firstName, change.lastName, change.unsafeMetadata && JSON.stringify(change.unsafeMetadata)],
  );
  return row;
}

/** Sets the new hash only while the old one still stands, so that of two changes at once one loses. */
export async function replacePassword(
  sql: ServiceSql,
  id: string,
  oldHash: string,
  newHash: string,
): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(
    `update idp.users set password_hash = $3, password_updated_at = now(), updated_at = now()
     where id = $1 and password_hash = $2 returning ${COLUMNS}`,
    [id, oldHash, newHash],
  );
  return row;
}

/** Sets the hash whatever stood there; for the first run alone. */
export async function overwritePassword(sql: ServiceSql, id: string, hash: string): Promise<void> {
  await sql.query(`update idp.users set password_hash = $2, password_updated_at = now() where id = $1`, [id, hash]);
}
