import { z } from 'zod';
import { refundCharge, totalOf } from './charge-invoice.ts';
import { missing, PaymentsError } from './payments-error.ts';
import { PAYMENTS_PATH } from './payments-context.ts';
import type { PayObject } from './queries.ts';
import { newId, shown, type Store } from './store.ts';
import { changePrice, endSubscription, prorate } from './subscriptions.ts';

export interface WireCall<Given> {
  /** Of the object in the address. */
  id: string;
  given: Given;
}

interface Answering {
  shape: z.ZodType;
  run(store: Store, call: WireCall<never>): Promise<object>;
}

const answer = <Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (store: Store, call: WireCall<z.output<z.ZodObject<Shape>>>) => Promise<object>,
): Answering => ({ shape: z.strictObject(shape), run });

const whole = z.coerce.number().int();
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const metadata = z.record(z.string(), z.string()).optional();
const expand = z.array(z.string()).optional();
const page = { limit: whole.optional(), starting_after: z.string().optional(), expand };
const items = z.array(z.strictObject({ id: z.string().optional(), price: z.string(), quantity: whole.optional() }));

/** One page behind `starting_after`, the newest first. */
function pageOf(found: PayObject[], given: { limit?: number | undefined; starting_after?: string | undefined }) {
  const from = given.starting_after ? found.findIndex(({ id }) => id === given.starting_after) + 1 : 0;
  const data = found.slice(from, from + (given.limit ?? 10));
  return { object: 'list', data: data.map(shown), has_more: from + data.length < found.length, url: '/v1' };
}

const SESSION_SECONDS = 86_400;

/** A visitor's own spelling of the service's address, to which they return. */
const siteOf = (url: string): string => new URL(url).origin;

/** Every call of the wire that is answered. */
export const answers: Readonly<Record<`${'GET' | 'POST' | 'DELETE'} /${string}`, Answering>> = {
  'POST /customers': answer({ metadata }, (store, { given }) =>
    store.put({ id: newId('cus'), object: 'customer', created: store.now(), metadata: {}, ...given }),
  ),
  'POST /prices': answer(
    {
      unit_amount: whole.positive(),
      currency: z.string().regex(/^[a-z]{3}$/),
      recurring: z.strictObject({ interval: z.enum(['month', 'year']) }),
      product_data: z.strictObject({ name: z.string() }),
      metadata,
    },
    (store, { given: { product_data: data, ...given } }) =>
      store.put({
        ...{ id: newId('price'), object: 'price', active: true, created: store.now(), type: 'recurring' },
        ...{ product: newId('prod'), nickname: data.name, ...given },
      }),
  ),
  'POST /checkout/sessions': answer(
    {
      mode: z.literal('subscription'),
      customer: z.string(),
      client_reference_id: z.string(),
      line_items: z.array(z.strictObject({ price: z.string(), quantity: whole })).length(1),
      metadata,
      subscription_data: z.strictObject({ metadata }),
      success_url: z.url(),
      cancel_url: z.url(),
    },
    async (store, { given: { line_items: lines, subscription_data: data, ...given } }) => {
      const customer = await store.get(given.customer, 'customer', 'customer');
      const price = await store.get(lines[0]!.price, 'price', 'line_items[0][price]');
      const site = siteOf(given.success_url);
      if (customer['_site'] !== site) await store.put({ ...customer, _site: site });
      const token = newId('cs_page');
      return store.put({
        ...{ id: newId('cs_test'), object: 'checkout.session', status: 'open', payment_status: 'unpaid' },
        ...{ created: store.now(), expires_at: store.now() + SESSION_SECONDS, livemode: false, subscription: null },
        ...given,
        ...{ url: `${site}${PAYMENTS_PATH}/checkout/${token}`, _token: token },
        ...{ _price: price.id, _subscription: data.metadata ?? {} },
      });
    },
  ),
  'GET /checkout/sessions': answer(
    { customer: z.string(), status: z.string().optional(), ...page },
    async (store, { given }) => {
      const all = await store.list('checkout.session', given.customer);
      const found = all.filter(({ status }) => given.status === undefined || status === given.status);
      return pageOf(found, given);
    },
  ),
  'GET /checkout/sessions/:id': answer({}, (store, { id }) => store.get(id, 'checkout.session')),
  'POST /checkout/sessions/:id/expire': answer({}, async (store, { id }) => {
    const session = await store.get(id, 'checkout.session');
    if (session['status'] !== 'open') throw new PaymentsError('checkout_session_not_open');
    return store.put({ ...session, status: 'expired', url: null }, 'checkout.session.expired');
  }),
  'GET /subscriptions': answer(
    { customer: z.string(), status: z.literal('all'), ...page },
    async (store, { given }) => {
      const found = await store.list('subscription', given.customer);
      const expanded = found.map(async (subscription) => ({
        ...subscription,
        schedule: subscription['schedule'] && (await store.get(subscription['schedule'], 'subscription_schedule')),
        latest_invoice:
          subscription['latest_invoice'] && shown(await store.get(subscription['latest_invoice'], 'invoice')),
      }));
      return pageOf(await Promise.all(expanded), given);
    },
  ),
  'POST /subscriptions/:id': answer(
    {
      items: items.optional(),
      proration_behavior: z.literal('always_invoice').optional(),
      payment_behavior: z.literal('pending_if_incomplete').optional(),
      cancel_at_period_end: flag.optional(),
      metadata,
    },
    async (store, { id, given: { items: wanted, cancel_at_period_end: isCancelled, metadata: marks } }) => {
      const subscription = await store.get(id, 'subscription');
      if (subscription['status'] === 'canceled') throw missing();
      Object.assign(subscription['metadata'], marks);
      if (isCancelled !== undefined) {
        if (subscription['schedule']) throw new PaymentsError('subscription_managed_by_schedule');
        const [item] = subscription['items'].data;
        // In the flexible mode the moment is what says it.
        subscription['cancel_at'] = isCancelled ? item.current_period_end : null;
        subscription['cancel_at_period_end'] = isCancelled;
        await store.put(subscription, 'customer.subscription.updated');
      }
      if (wanted) await changePrice(store, subscription, await store.get(wanted[0]!.price, 'price', 'items[0][price]'));
      return subscription;
    },
  ),
  'DELETE /subscriptions/:id': answer({}, async (store, { id }) =>
    endSubscription(store, await store.get(id, 'subscription')),
  ),
  'POST /subscription_schedules': answer(
    { from_subscription: z.string() },
    async (store, { given: { from_subscription: from } }) => {
      const subscription = await store.get(from, 'subscription', 'from_subscription');
      const [item] = subscription['items'].data;
      const { current_period_start: start, current_period_end: end, price } = item;
      const schedule = await store.put({
        ...{ id: newId('sub_sched'), object: 'subscription_schedule', customer: subscription.customer ?? null },
        ...{ status: 'active', subscription: from, end_behavior: 'release', created: store.now(), metadata: {} },
        phases: [{ start_date: start, end_date: end, items: [{ price: price.id, quantity: 1 }], metadata: {} }],
      });
      await store.put({ ...subscription, schedule: schedule.id });
      return schedule;
    },
  ),
  'GET /subscription_schedules/:id': answer({}, (store, { id }) => store.get(id, 'subscription_schedule')),
  'POST /subscription_schedules/:id': answer(
    {
      end_behavior: z.literal('release'),
      proration_behavior: z.literal('none'),
      phases: z.array(
        z.strictObject({
          items,
          start_date: whole,
          end_date: whole.optional(),
          proration_behavior: z.literal('none').optional(),
        }),
      ),
    },
    async (store, { id, given: { phases } }) => {
      const schedule = await store.get(id, 'subscription_schedule');
      return store.put({ ...schedule, phases }, 'subscription_schedule.updated');
    },
  ),
  'POST /subscription_schedules/:id/release': answer({}, async (store, { id }) => {
    const schedule = await store.get(id, 'subscription_schedule');
    const subscription = await store.get(schedule['subscription'], 'subscription');
    await store.put({ ...subscription, schedule: null });
    const released = { ...schedule, status: 'released', released_at: store.now() };
    return store.put(released, 'subscription_schedule.released');
  }),
  'GET /invoices': answer({ customer: z.string(), ...page }, async (store, { given }) =>
    pageOf(await store.list('invoice', given.customer), given),
  ),
  'POST /invoices/create_preview': answer(
    {
      customer: z.string(),
      subscription: z.string(),
      subscription_details: z.strictObject({ items, proration_behavior: z.literal('always_invoice') }),
    },
    async (store, { given: { customer: of, subscription: id, subscription_details: details } }) => {
      const customer = await store.get(of, 'customer', 'customer');
      const price = await store.get(details.items[0]!.price, 'price');
      const lines = prorate(store, customer, await store.get(id, 'subscription', 'subscription'), price);
      const due = totalOf(lines);
      return { object: 'invoice', id: newId('upcoming_in'), amount_due: due, total: due, currency: price['currency'] };
    },
  ),
  'GET /charges': answer({ customer: z.string(), ...page }, async (store, { given }) =>
    pageOf(await store.list('charge', given.customer), given),
  ),
  'GET /charges/:id': answer({}, (store, { id }) => store.get(id, 'charge')),
  'GET /disputes': answer({ charge: z.string(), ...page }, async (store, { given }) => {
    const { customer } = await store.get(given.charge, 'charge', 'charge');
    const all = await store.list('dispute', customer ?? undefined);
    const found = all.filter(({ charge }) => charge === given.charge);
    return pageOf(found, given);
  }),
  'POST /refunds': answer(
    { payment_intent: z.string(), amount: whole.positive().optional() },
    async (store, { given: { payment_intent: payment, amount } }) => {
      const charge = (await store.list('charge')).find((one) => one['payment_intent'] === payment);
      if (!charge) throw missing('payment_intent');
      const refund = await refundCharge(store, charge, amount);
      if (!refund) throw new PaymentsError('charge_already_refunded');
      return refund;
    },
  ),
  'POST /billing_portal/sessions': answer({ customer: z.string(), return_url: z.url() }, async (store, { given }) => {
    await store.get(given.customer, 'customer', 'customer');
    const token = newId('portal');
    return store.put({
      ...{ id: newId('bps'), object: 'billing_portal.session', ...given, created: store.now(), _token: token },
      url: `${siteOf(given.return_url)}${PAYMENTS_PATH}/portal/${token}`,
    });
  }),
};
