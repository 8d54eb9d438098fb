import { z } from 'zod';
import type { Hint, WebhookEvent } from '../aggregator.ts';

const outcome = z.object({ success: z.boolean().nullish() }).nullish();

const eventSchema = z.object({
  webhookId: z.string().min(1).max(100).optional(),
  eventType: z.string(),
  userId: z.string().nullish(),
  brokerageAuthorizationId: z.string().nullish(),
  details: z.object({ positions: outcome, balances: outcome }).nullish().catch(undefined),
});

/** Events after which the data may have changed. */
const CONNECTION_EVENTS: ReadonlySet<string> = new Set([
  'CONNECTION_ADDED',
  'CONNECTION_DELETED',
  'CONNECTION_BROKEN',
  'CONNECTION_FIXED',
  'CONNECTION_UPDATED',
  'NEW_ACCOUNT_AVAILABLE',
  'ACCOUNT_REMOVED',
  'ACCOUNT_HOLDINGS_UPDATED',
  'ACCOUNT_TRANSACTIONS_INITIAL_UPDATE',
]);
const ATTEMPT_EVENTS: ReadonlySet<string> = new Set(['CONNECTION_ATTEMPTED', 'CONNECTION_FAILED']);

/** Schema that maps an event of the brokerage aggregator to a hint. */
export const brokerageEvent: z.ZodType<WebhookEvent> = eventSchema.transform((event) => ({
  hint: toHint(event),
  id: event.webhookId,
}));

function toHint({
  eventType,
  userId,
  brokerageAuthorizationId: externalId,
  details,
}: z.infer<typeof eventSchema>): Hint {
  const user = userId ?? undefined;
  if (ATTEMPT_EVENTS.has(eventType) && user) return { target: 'member', user };
  if (!CONNECTION_EVENTS.has(eventType)) return { target: 'none' };
  // The event is also sent after a failed update. A sync would then read yesterday's data.
  const isFailure = details?.positions?.success === false || details?.balances?.success === false;
  if (isFailure) return { target: 'none' };
  if (externalId) return { target: 'connection', externalId, user, isRemoval: eventType === 'CONNECTION_DELETED' };
  return user ? { target: 'member', user } : { target: 'none' };
}
