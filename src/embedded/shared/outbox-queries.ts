import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ClaimedMessage } from '../../platform/http/deliver-webhooks.ts';

/** Table of an embedded provider's pending webhooks, in a schema of its own. */
export type OutboxTable = `${string}_sandbox.webhook_messages`;

export interface OutboxMessage extends ClaimedMessage {
  url: string;
}

export async function insertMessage(
  sql: ServiceSql,
  table: OutboxTable,
  { id, type, url, payload, dueAt }: { id: string; type: string; url: string; payload: string; dueAt: Date },
): Promise<void> {
  const text = `insert into ${table} (id, type, url, payload, next_attempt_at) values ($1, $2, $3, $4, $5)`;
  await sql.query(text, [id, type, url, payload, dueAt]);
}

/** Leases the message that is due longest at `now`, for `leaseSeconds`. */
export async function claimMessage(
  sql: ServiceSql,
  table: OutboxTable,
  now: Date,
  leaseSeconds: number,
): Promise<OutboxMessage | undefined> {
  const [row] = await sql.query<OutboxMessage>(
    `update ${table} set attempts = attempts + 1,
            next_attempt_at = $1::timestamptz + make_interval(secs => $2)
      where id = (
        select id from ${table} where next_attempt_at <= $1::timestamptz
        order by next_attempt_at, created_at limit 1 for update skip locked)
      returning id, type, url, payload, attempts`,
    [now, leaseSeconds],
  );
  return row;
}

export async function deleteMessage(sql: ServiceSql, table: OutboxTable, id: string): Promise<void> {
  await sql.query(`delete from ${table} where id = $1`, [id]);
}

export async function postponeMessage(sql: ServiceSql, table: OutboxTable, id: string, until: Date): Promise<void> {
  await sql.query(`update ${table} set next_attempt_at = $2 where id = $1`, [id, until]);
}

/** Returns the time in ms from `now` until the next message is due, or null if there is none. */
export async function nextDueIn(sql: ServiceSql, table: OutboxTable, now: Date): Promise<number | null> {
  const [row] = await sql.query<{ due: number | null }>(
    `select (extract(epoch from min(next_attempt_at) - $1::timestamptz) * 1000)::float8 as due from ${table}`,
    [now],
  );
  const due = row?.due ?? null;
  return due === null ? null : Math.max(0, due);
}
