import type { ServiceSql } from '../../database/roles.ts';
import type { ClaimedMessage } from '../../http/deliver-webhooks.ts';

export async function insertMessage(sql: ServiceSql, id: string, type: string, payload: string): Promise<void> {
  await sql.query(`insert into idp.webhook_messages (id, type, payload) values ($1, $2, $3)`, [id, type, payload]);
}

/** Takes the message that is due longest, for `leaseSeconds`; it is due again if its process dies meanwhile. */
export async function claimMessage(sql: ServiceSql, leaseSeconds: number): Promise<ClaimedMessage | undefined> {
  const [row] = await sql.query<ClaimedMessage>(
    `update idp.webhook_messages set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
     where id = (
       select id from idp.webhook_messages where next_attempt_at <= now()
       order by next_attempt_at, created_at limit 1 for update skip locked
     )
     returning id, type, payload, attempts`,
    [leaseSeconds],
  );
  return row;
}

export async function markDelivered(sql: ServiceSql, id: string, status: number): Promise<void> {
  await sql.query(
    `update idp.webhook_messages
     set delivered_at = now(), next_attempt_at = null, last_status = $2, last_error = null where id = $1`,
    [id, status],
  );
}

/** `retryInSeconds` null: given up. A message that another attempt delivered meanwhile stays delivered. */
export async function markFailed(
  sql: ServiceSql,
  id: string,
  retryInSeconds: number | null,
  status: number | null,
  error: string,
): Promise<void> {
  await sql.query(
    `update idp.webhook_messages
     set next_attempt_at = now() + make_interval(secs => $2), last_status = $3, last_error = $4
     where id = $1 and delivered_at is null`,
    [id, retryInSeconds, status, error.slice(0, 500)],
  );
}

/** Milliseconds until the next message is due; null where none waits. */
export async function nextDueIn(sql: ServiceSql): Promise<number | null> {
  const [row] = await sql.query<{ due: number | null }>(
    `select (extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 as due
     from idp.webhook_messages where next_attempt_at is not null`,
  );
  // greatest() in the database would turn the null of an empty outbox into 0.
  const due = row?.due ?? null;
  return due === null ? null : Math.max(0, due);
}

/** Undoes a claim whose attempt was broken off by a stop. */
export async function releaseMessage(sql: ServiceSql, id: string): Promise<void> {
  await sql.query(
    `update idp.webhook_messages set next_attempt_at = now(), attempts = attempts - 1
     where id = $1 and delivered_at is null and attempts > 0`,
    [id],
  );
}
