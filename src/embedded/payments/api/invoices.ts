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
  'GET /invoices': handler({ customer: z.string(), ...page }, async (store, { params }) =>
    toPage(await store.list('invoice', params.customer), params),
  ),
  'POST /invoices/create_preview': handler(preview, async (store, { params }) => {
    const customer = await store.get(params.customer, 'customer', 'customer');
    const price = await store.get(params.subscription_details.items[0]!.price, 'price');
    const subscription = await store.get(params.subscription, 'subscription', 'subscription');
    const due = computeTotal(prorate(store, customer, subscription, price));
    return { object: 'invoice', id: newId('upcoming_in'), amount_due: due, total: due, currency: price.currency };
  }),
};
