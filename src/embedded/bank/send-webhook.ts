import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { insertMessage } from '../shared/outbox-queries.ts';
import type { BankContext } from './bank-context.ts';
import { itemError } from './bank-error.ts';
import { OUTBOX } from './queries.ts';

type BankEvent = { webhook_type: string; webhook_code: string } & Record<string, unknown>;

/** Adds a webhook in the aggregator's format to the outbox. The caller wakes the delivery afterwards. */
export async function enqueueWebhook(
  { now }: Pick<BankContext, 'now'>,
  sql: ServiceSql,
  url: string | null,
  event: BankEvent,
  afterSeconds = 0,
): Promise<void> {
  if (!url) return;
  const dueAt = new Date(now().getTime() + afterSeconds * 1_000);
  const payload = JSON.stringify({ ...event, environment: 'sandbox' }, null, 2);
  const type = `${event.webhook_type}.${event.webhook_code}`;
  await insertMessage(sql, OUTBOX, { id: randomUUID(), type, url, payload, dueAt });
}

/** Returns the event of an item that requires a new sign-in. */
export const toLoginRequiredEvent = (itemId: string) => ({
  webhook_type: 'ITEM',
  webhook_code: 'ERROR',
  item_id: itemId,
  error: itemError('ITEM_LOGIN_REQUIRED').toBody(),
});
