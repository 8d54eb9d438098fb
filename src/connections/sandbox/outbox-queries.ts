import type { ServiceSql } from '../../database/roles.ts';
import type { ClaimedMessage } from '../../http/deliver-webhooks.ts';

/** Where each stand-in's webhooks wait. */
const TABLES = { bank: 'bank_sandbox.webhook_messages', brokerage: 'brokerage_sandbox.webhook_messages' } as const;

export type OutboxName = keyof typeof TABLES;

export interface SandboxMessage extends ClaimedMessage {
  url: string;
}

export async function insertMessage(
  sql: ServiceSql,
  outbox: OutboxName,
  message: { id: string; type: string; url: string; payload: string; dueAt: Date },
): Promise<void> {
  await sql.query(
    `insert into ${TABLES[outbox]} (id, type, url, payload, next_attempt_at) values ($1, $2, $3, $4, $5)`,
    [message.id, message.type, message.url, message.payload, message.dueAt],
  );
}

/** Takes the message that is due longest at `now`, for `leaseSeconds`. */
export async function claimMessage(
  sql: ServiceSql,
  outbox: OutboxName,
  now: Date,
  leaseSeconds: number,
): Promise<SandboxMessage | undefined> {
  const table = TABLES[outbox];
  const [row] = await sql.query<SandboxMessage>(
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

export async function deleteMessage(sql: ServiceSql, outbox: OutboxName, id: string): Promise<void> {
  await sql.query(`delete from ${TABLES[outbox]} where id = $1`, [id]);
}

export async function postponeMessage(sql: ServiceSql, outbox: OutboxName, id: string, until: Date): Promise<void> {
  await sql.query(`update ${TABLES[outbox]} set next_attempt_at = $2 where id = $1`, [id, until]);
}

/** Milliseconds from `now` until the next message is due; null where none waits. */
export async function nextDueIn(sql: ServiceSql, outbox: OutboxName, now: Date): Promise<number | null> {
  const [row] = await sql.query<{ due: number | null }>(
    `select (extract(epoch from min(next_attempt_at) - $1::timestamptz) * 1000)::float8 as due from ${TABLES[outbox]}`,
    [now],
  );
  const due = row?.due ?? null;
  return due === null ? null : Math.max(0, due);
}
