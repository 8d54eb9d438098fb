import { z } from 'zod';
import type { Hint, WebhookEvent } from '../aggregator.ts';

const eventSchema = z.object({
  webhook_type: z.string(),
  webhook_code: z.string(),
  link_token: z.string().optional(),
  item_id: z.string().nullish(),
});

/** Schema that maps an event of the bank aggregator to a hint. */
export const bankEvent: z.ZodType<WebhookEvent> = eventSchema.transform((event) => ({ hint: toHint(event) }));

function toHint(event: z.infer<typeof eventSchema>): Hint {
  const { webhook_type: type, webhook_code: code, link_token: reference, item_id: externalId } = event;
  if (type === 'LINK') return reference ? { target: 'attempt', reference } : { target: 'none' };
  const isHandledType = type === 'ITEM' || type === 'HOLDINGS' || type === 'TRANSACTIONS';
  if (!isHandledType || !externalId || code === 'WEBHOOK_UPDATE_ACKNOWLEDGED') return { target: 'none' };
  const hint = { target: 'connection', externalId } as const;
  if (code === 'PENDING_DISCONNECT' || code === 'PENDING_EXPIRATION') return { ...hint, isExpiring: true };
  return code === 'LOGIN_REPAIRED' ? { ...hint, isExpiring: false } : hint;
}
