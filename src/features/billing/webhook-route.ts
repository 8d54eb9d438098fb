import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { addSignedWebhook } from '../../platform/http/signed-webhook.ts';
import type { BillingContext } from './context.ts';
import { enqueueSync } from './jobs.ts';
import { recordEvent } from './queries.ts';

const objectId = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);
const eventSchema = z.object({
  id: z.string().min(1).max(256),
  type: z.string().max(256),
  livemode: z.boolean(),
  data: z.object({
    object: z.looseObject({
      id: z.string().optional(),
      object: z.string(),
      customer: objectId.nullish(),
      charge: objectId.nullish(),
    }),
  }),
});

/**
 * Adds `POST /api/webhooks/payments`. An event only identifies the customer to synchronize. Only the sync changes data.
 */
export function addPaymentWebhook(app: HttpApp, { sql, logger, payments }: BillingContext): void {
  addSignedWebhook(app, {
    path: '/api/webhooks/payments',
    sender: 'the payment provider',
    scheme: payments.webhookScheme,
    event: eventSchema,
    getEventId: ({ id }) => id,
    sql,
    recordDelivery: (transaction, id, { type }) => recordEvent(transaction, id, type),
    async handle(transaction, { id, type, livemode, data: { object } }) {
      if (livemode !== payments.livemode) {
        logger.warn({ event: id, type, livemode }, 'ignored an event with another livemode');
        return;
      }
      const customer = object.customer ?? (object.object === 'customer' ? object.id : undefined);
      if (customer) await enqueueSync(transaction, { customer_id: customer });
      else if (object.charge) await enqueueSync(transaction, { charge_id: object.charge });
    },
  });
}
