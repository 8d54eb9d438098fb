import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ClaimedMessage, OutboxDelivery } from '../../platform/http/deliver-webhooks.ts';

interface NewMessage {
  id: string;
  type: string;
  /** User of the event. */
  userId: string;
  payload: string;
}

/**
 * Stores a message behind the user's waiting ones. A waiting `user.updated` is deleted, because the newer one holds the
 * whole user.
 */
export async function insertMessage(sql: ServiceSql, { id, type, userId, payload }: NewMessage): Promise<void> {
  if (type === 'user.updated')
    await sql.query(`delete from idp.webhook_messages where user_id = $1 and type = $2`, [userId, type]);
  await sql.query(
    `insert into idp.webhook_messages (id, type, user_id, payload, place)
     select $1, $2, $3, $4, coalesce(max(place) + 1, 0) from idp.webhook_messages where user_id = $3`,
    [id, type, userId, payload],
  );
}

/** Deletes the pending events about a user. An attempt that is running may still deliver its event. */
export async function deleteMessagesOfUser(sql: ServiceSql, userId: string): Promise<void> {
  await sql.query(`delete from idp.webhook_messages where user_id = $1`, [userId]);
}

async function deleteMessage(sql: ServiceSql, id: string): Promise<void> {
  await sql.query(`delete from idp.webhook_messages where id = $1`, [id]);
}

/**
 * Returns the provider's outbox. A message is deleted when it is delivered or given up, since it has personal data.
 * Messages with a lower place are claimed first, so that a user with many waiting messages does not delay the others.
 */
export const createOutbox = (sql: ServiceSql): OutboxDelivery['outbox'] => ({
  claim: (leaseSeconds) =>
    queryFirstRow<ClaimedMessage>(
      sql,
      `update idp.webhook_messages set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
       where id = (
         select id from idp.webhook_messages where next_attempt_at <= now()
         order by place, next_attempt_at, created_at limit 1 for update skip locked
       )
       returning id, type, payload, attempts`,
      [leaseSeconds],
    ),
  markDelivered: (id) => deleteMessage(sql, id),
  async markFailed(id, retryIn) {
    if (retryIn === null) return deleteMessage(sql, id);
    await sql.query(
      `update idp.webhook_messages set next_attempt_at = now() + make_interval(secs => $2) where id = $1`,
      [id, retryIn],
    );
  },
  async release(id) {
    await sql.query(
      `update idp.webhook_messages set next_attempt_at = now(), attempts = attempts - 1 where id = $1 and attempts > 0`,
      [id],
    );
  },
  async getMsUntilNextDue() {
    const row = await queryFirstRow<{ due: number | null }>(
      sql,
      `select (extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 as due
       from idp.webhook_messages`,
    );
    // With greatest() in SQL the null of an empty outbox would become 0.
    const due = row?.due ?? null;
    return due === null ? null : Math.max(0, due);
  },
});
