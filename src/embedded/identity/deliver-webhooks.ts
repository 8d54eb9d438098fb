import type { ServiceSql } from '../../platform/database/roles.ts';
import { deliverWebhooks, type OutboxDelivery, type WebhookDelivery } from '../../platform/http/deliver-webhooks.ts';
import { signDelivery } from '../../platform/http/webhook-schemes/standard-webhooks.ts';
import { createOutbox } from './webhook-queries.ts';

/**
 * Delays between attempts in seconds, as the hosted provider documents them. The last attempt is after about 27.6
 * hours.
 */
export const RETRY_SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;

export interface DeliveryOptions extends Partial<Omit<OutboxDelivery, 'outbox' | 'getUrl' | 'sign'>> {
  sql: ServiceSql;
  /** `whsec_…` */
  secret: string;
  receiverUrl: string;
  warn(details: object, message: string): void;
}

/** Delivers the provider's outbox until it is stopped. Several processes may run it at once. */
export function startWebhookDelivery({ sql, secret, receiverUrl, ...options }: DeliveryOptions): WebhookDelivery {
  return deliverWebhooks({
    retryDelaysSeconds: RETRY_SCHEDULE,
    ...options,
    outbox: createOutbox(sql),
    getUrl: () => receiverUrl,
    sign: ({ id, payload }) => signDelivery(secret, id, payload, Date.now() / 1000),
  });
}
