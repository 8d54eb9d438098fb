import { z } from 'zod';
import type { Hint, WebhookEvent } from '../aggregator.ts';

const told = z.object({
  webhook_type: z.string(),
  webhook_code: z.string(),
  link_token: z.string().optional(),
  item_id: z.string().nullish(),
});

/** An event of the bank aggregator, as what it makes worth a sync. */
export const bankEvent: z.ZodType<WebhookEvent> = told.transform((event) => ({ hint: hintOf(event) }));

function hintOf(event: z.infer<typeof told>): Hint {
  const { webhook_type: type, webhook_code: code, link_token: reference, item_id: externalId } = event;
  if (type === 'LINK') return reference ? { about: 'attempt', reference } : { about: 'nothing' };
  const isOurs = type === 'ITEM' || type === 'HOLDINGS' || type === 'TRANSACTIONS';
  if (!isOurs || !externalId || code === 'WEBHOOK_UPDATE_ACKNOWLEDGED') return { about: 'nothing' };
  const hint = { about: 'connection', externalId } as const;
  if (code === 'PENDING_DISCONNECT' || code === 'PENDING_EXPIRATION') return { ...hint, isExpiring: true };
  return code === 'LOGIN_REPAIRED' ? { ...hint, isExpiring: false } : hint;
}
