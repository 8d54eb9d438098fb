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

/** Marks every unused link of the user as used, or those for one purpose. */
export async function closeLinks(sql: ServiceSql, userId: string, purpose: LinkRow['purpose'] | null): Promise<void> {
  await sql.query(
    `update idp.one_time_links set used_at = now()
     where user_id = $1 and used_at is null and ($2::text is null or purpose = $2)`,
    [userId, purpose],
  );
}
