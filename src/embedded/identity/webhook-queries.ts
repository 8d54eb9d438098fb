import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ClaimedMessage, OutboxDelivery } from '../../platform/http/deliver-webhooks.ts';

export async function insertMessage(sql: ServiceSql, id: string, type: string, payload: string): Promise<void> {
  await sql.query(`insert into idp.webhook_messages (id, type, payload) values ($1, $2, $3)`, [id, type, payload]);
}

/** Returns the provider's outbox. Its messages are stored after they are delivered or abandoned. */
export const createOutbox = (sql: ServiceSql): OutboxDelivery['outbox'] => ({
  claim: (leaseSeconds) =>
    queryFirstRow<ClaimedMessage>(
      sql,
      `update idp.webhook_messages set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
       where id = (
         select id from idp.webhook_messages where next_attempt_at <= now()
         order by next_attempt_at, created_at limit 1 for update skip locked
       )
       returning id, type, payload, attempts`,
      [leaseSeconds],
    ),
  async markDelivered(id, status) {
    await sql.query(
      `update idp.webhook_messages
       set delivered_at = now(), next_attempt_at = null, last_status = $2, last_error = null where id = $1`,
      [id, status],
    );
  },
  /** Does not change a message that another attempt has delivered in between. */
  async markFailed(id, retryIn, status, error) {
    await sql.query(
      `update idp.webhook_messages
       set next_attempt_at = now() + make_interval(secs => $2), last_status = $3, last_error = $4
       where id = $1 and delivered_at is null`,
      [id, retryIn, status, error.slice(0, 500)],
    );
  },
  async release(id) {
    await sql.query(
      `update idp.webhook_messages set next_attempt_at = now(), attempts = attempts - 1
       where id = $1 and delivered_at is null and attempts > 0`,
      [id],
    );
  },
  async getMsUntilNextDue() {
    const row = await queryFirstRow<{ due: number | null }>(
      sql,
      `select (extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 as due
       from idp.webhook_messages where next_attempt_at is not null`,
    );
    // With greatest() in SQL the null of an empty outbox would become 0.
    const due = row?.due ?? null;
    return due === null ? null : Math.max(0, due);
  },
});
