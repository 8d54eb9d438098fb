import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { LinkRow } from './rows.ts';

const COLUMNS = 'id, user_id, purpose, email, code_hash';

/** Stores a link that is valid for `lifetimeSeconds`. */
export async function insertLink(sql: ServiceSql, link: LinkRow, lifetimeSeconds: number): Promise<void> {
  await sql.query(
    `insert into idp.one_time_links (${COLUMNS}, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
    [link.id, link.user_id, link.purpose, link.email, link.code_hash, lifetimeSeconds],
  );
}

/** Returns a link that was not used and has not expired. */
export const findUsableLink = (sql: ServiceSql, id: string) =>
  queryFirstRow<LinkRow>(
    sql,
    `select ${COLUMNS} from idp.one_time_links where id = $1 and used_at is null and expires_at > now()`,
    [id],
  );

/** Marks a link as used. Returns no row if it was used or has expired, so that one of several callers wins. */
export const closeLink = (sql: ServiceSql, id: string) =>
  queryFirstRow<LinkRow>(
    sql,
    `update idp.one_time_links set used_at = now()
     where id = $1 and used_at is null and expires_at > now() returning ${COLUMNS}`,
    [id],
  );

/**
 * Records the sign-in and the browser in which the code of a link was entered. Returns no row if another browser was
 * faster, or if the link was used or has expired.
 */
export const bindLink = (sql: ServiceSql, id: string, signInId: string, clientId: string) =>
  queryFirstRow<LinkRow>(
    sql,
    `update idp.one_time_links set sign_in_id = $2, client_id = $3
     where id = $1 and (client_id is null or client_id = $3) and used_at is null and expires_at > now()
     returning ${COLUMNS}`,
    [id, signInId, clientId],
  );

/** Returns the newest usable link whose code was entered in this sign-in and browser. */
export const findBoundLink = (sql: ServiceSql, signInId: string, clientId: string) =>
  queryFirstRow<LinkRow>(
    sql,
    `select ${COLUMNS} from idp.one_time_links
     where sign_in_id = $1 and client_id = $2 and used_at is null and expires_at > now()
     order by created_at desc limit 1`,
    [signInId, clientId],
  );

/** Marks every unused link of the user for these purposes as used. */
export async function closeLinks(
  sql: ServiceSql,
  userId: string,
  purposes: readonly LinkRow['purpose'][],
): Promise<void> {
  await sql.query(
    `update idp.one_time_links set used_at = now() where user_id = $1 and used_at is null and purpose = any ($2)`,
    [userId, purposes],
  );
}
