import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { insertMessage } from '../shared/outbox-queries.ts';
import { type BrokerageContext, BROKERAGE_CLIENT_ID } from './brokerage-context.ts';
import { OUTBOX } from './queries.ts';

/** Webhook URL that operators set in the aggregator's dashboard. Deliveries are sent to the service's own address. */
const LISTENER_URL = 'http://service/api/webhooks/brokerage';

/**
 * Adds a webhook to the outbox `times` times as duplicates of one delivery. The caller wakes the delivery afterwards.
 */
export async function enqueueEvent(
  { now }: Pick<BrokerageContext, 'now'>,
  sql: ServiceSql,
  event: { eventType: string; userId: string } & Record<string, unknown>,
  { afterSeconds = 0, times = 1 }: { afterSeconds?: number; times?: number } = {},
): Promise<void> {
  const webhookId = randomUUID();
  const eventTimestamp = new Date().toISOString();
  const payload = JSON.stringify({ webhookId, clientId: BROKERAGE_CLIENT_ID, eventTimestamp, ...event });
  const dueAt = new Date(now().getTime() + afterSeconds * 1_000);
  for (let time = 0; time < times; time += 1)
    await insertMessage(sql, OUTBOX, { id: randomUUID(), type: event.eventType, url: LISTENER_URL, payload, dueAt });
}
