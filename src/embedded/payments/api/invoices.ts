import { z } from 'zod';
import { computeTotal } from '../invoices.ts';
import { newId } from '../store.ts';
import { prorate } from '../subscriptions.ts';
import { handler, type Handlers, items, page, toPage } from './call.ts';

const preview = {
  customer: z.string(),
  subscription: z.string(),
  subscription_details: z.strictObject({ items, proration_behavior: z.literal('always_invoice') }),
};

export const invoices: Handlers = {
  'GET /invoices': handler({ customer: z.string(), ...page }, async (store, { given }) =>
    toPage(await store.list('invoice', given.customer), given),
  ),
  'POST /invoices/create_preview': handler(preview, async (store, { given }) => {
    const customer = await store.get(given.customer, 'customer', 'customer');
    const price = await store.get(given.subscription_details.items[0]!.price, 'price');
    const subscription = await store.get(given.subscription, 'subscription', 'subscription');
    const due = computeTotal(prorate(store, customer, subscription, price));
    return { object: 'invoice', id: newId('upcoming_in'), amount_due: due, total: due, currency: price.currency };
  }),
};
