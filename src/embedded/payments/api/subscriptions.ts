import { z } from 'zod';
import { resourceMissing, PaymentsError } from '../payments-error.ts';
import { toPublicObject } from '../store.ts';
import { changePrice, endSubscription, getItem } from '../subscriptions.ts';
import { booleanFlag, handler, type Handlers, items, metadata, page, toPage } from './call.ts';

const change = {
  items: items.optional(),
  proration_behavior: z.literal('always_invoice').optional(),
  payment_behavior: z.literal('pending_if_incomplete').optional(),
  cancel_at_period_end: booleanFlag.optional(),
  metadata,
};

export const subscriptions: Handlers = {
  'GET /subscriptions': handler(
    { customer: z.string(), status: z.literal('all'), ...page },
    async (store, { params }) => {
      const found = await store.list('subscription', params.customer);
      const expanded = found.map(async (subscription) => {
        const { schedule, latest_invoice: invoice } = subscription;
        return {
          ...subscription,
          schedule: schedule && (await store.get(schedule, 'subscription_schedule')),
          latest_invoice: invoice && toPublicObject(await store.get(invoice, 'invoice')),
        };
      });
      return toPage(await Promise.all(expanded), params);
    },
  ),
  'POST /subscriptions/:id': handler(change, async (store, { id, params }) => {
    const subscription = await store.get(id, 'subscription');
    if (subscription.status === 'canceled') throw resourceMissing();
    Object.assign(subscription.metadata, params.metadata);
    if (params.cancel_at_period_end !== undefined) {
      if (subscription.schedule) throw new PaymentsError('subscription_managed_by_schedule');
      // In the flexible billing mode `cancel_at` holds the end of the subscription.
      subscription.cancel_at = params.cancel_at_period_end ? getItem(subscription).current_period_end : null;
      subscription.cancel_at_period_end = params.cancel_at_period_end;
      await store.put(subscription, 'customer.subscription.updated');
    }
    if (params.items) {
      const price = await store.get(params.items[0]!.price, 'price', 'items[0][price]');
      await changePrice(store, subscription, price);
    }
    return subscription;
  }),
  'DELETE /subscriptions/:id': handler({}, async (store, { id }) =>
    endSubscription(store, await store.get(id, 'subscription')),
  ),
};
