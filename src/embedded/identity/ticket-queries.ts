import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { selectMilliseconds, type TicketRow } from './rows.ts';

const STATUS = `case when status = 'pending' and expires_at <= now() then 'expired' else status end`;
const COLUMNS = `id, user_id, ${STATUS} as status,
  ${selectMilliseconds('expires_at', 'created_at', 'updated_at')}`;

export async function insertTicket(
  sql: ServiceSql,
  id: string,
  userId: string,
  lifetimeSeconds: number,
): Promise<TicketRow> {
  const [row] = await sql.query<TicketRow>(
    `insert into idp.sign_in_tokens (id, user_id, expires_at)
     values ($1, $2, now() + make_interval(secs => $3)) returning ${COLUMNS}`,
    [id, userId, lifetimeSeconds],
  );
  return row!;
}

export const findTicket = (sql: ServiceSql, id: string) =>
  queryFirstRow<TicketRow>(sql, `select ${COLUMNS} from idp.sign_in_tokens where id = $1`, [id]);

/** Locks every pending ticket of the user until the transaction ends. */
export async function lockPendingTickets(sql: ServiceSql, userId: string): Promise<void> {
  await sql.query(`select from idp.sign_in_tokens where user_id = $1 and status = 'pending' order by id for update`, [
    userId,
  ]);
}

/** Revokes every pending ticket of the user. */
export async function revokePendingTickets(sql: ServiceSql, userId: string): Promise<void> {
  await sql.query(
    `update idp.sign_in_tokens set status = 'revoked', updated_at = now()
     where user_id = $1 and status = 'pending' and expires_at > now()`,
    [userId],
  );
}

/** Moves a ticket out of `pending`. Returns no row if it had left that state, so that one of several callers wins. */
export const closePendingTicket = (sql: ServiceSql, id: string, status: 'accepted' | 'revoked') =>
  queryFirstRow<TicketRow>(
    sql,
    `update idp.sign_in_tokens set status = $2, updated_at = now()
     where id = $1 and status = 'pending' and expires_at > now() returning ${COLUMNS}`,
    [id, status],
  );
