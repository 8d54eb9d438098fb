import { createInvoice, type Line, payInvoice } from './invoices.ts';
import type { Customer, Invoice, Price, Subscription, SubscriptionItem } from './objects.ts';
import { PaymentsError, CardDeclinedError } from './payments-error.ts';
import { newId, type Store } from './store.ts';

/** Returns the item of a subscription. Every subscription has exactly one. */
export const getItem = ({ items }: Subscription): SubscriptionItem => items.data[0]!;

/** Returns the same day of the month one interval later, or the last day of a shorter month. */
function addInterval(from: number, { interval }: { interval: string }): number {
  const start = new Date(from * 1_000);
  const months = start.getUTCMonth() + (interval === 'year' ? 12 : 1);
  const last = new Date(Date.UTC(start.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(start.getUTCDate(), last);
  const time = from % 86_400;
  return Date.UTC(start.getUTCFullYear(), months, day) / 1_000 + time;
}

/** Creates a subscription and charges its first period. Throws `CardDeclinedError` if the card is declined. */
export async function subscribe(
  store: Store,
  customer: Customer,
  price: Price,
  metadata: Record<string, string>,
): Promise<Subscription> {
  const now = store.now(customer);
  const id = newId('sub');
  const subscription: Subscription = {
    id,
    object: 'subscription',
    customer: customer.id,
    status: 'active',
    created: now,
    start_date: now,
    currency: price.currency,
    metadata,
    livemode: false,
    billing_mode: { type: 'flexible' },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    trial_end: null,
    schedule: null,
    pending_update: null,
    latest_invoice: null,
    collection_method: 'charge_automatically',
    items: {
      object: 'list',
      has_more: false,
      url: '',
      data: [
        {
          id: newId('si'),
          object: 'subscription_item',
          price,
          quantity: 1,
          subscription: id,
          current_period_start: now,
          current_period_end: addInterval(now, price.recurring),
          metadata: {},
        },
      ],
    },
  };
  const lines = [{ price, amount: price.unit_amount }];
  const invoice = await createInvoice(store, customer, subscription, lines, 'subscription_create');
  const reason = await payInvoice(store, customer, invoice, 'now');
  if (reason !== null) throw new CardDeclinedError(reason);
  subscription.latest_invoice = invoice.id;
  return store.put(subscription, 'customer.subscription.created');
}

/**
 * Returns the invoice lines of an immediate change: the remaining period at the new price, less the remaining period at
 * the old price.
 */
export function prorate(store: Store, customer: Customer, subscription: Subscription, price: Price): Line[] {
  const { price: old, current_period_start: start, current_period_end: end } = getItem(subscription);
  const remainingShare = Math.min(1, Math.max(0, (end - store.now(customer)) / (end - start)));
  return [
    { price: old, amount: -Math.round(old.unit_amount * remainingShare) },
    { price, amount: Math.round(price.unit_amount * remainingShare) },
  ];
}

/** Changes the price when the difference is paid. Until then the change is pending and nothing else changes. */
export async function changePrice(store: Store, subscription: Subscription, price: Price): Promise<void> {
  if (subscription.schedule) throw new PaymentsError('subscription_managed_by_schedule');
  const customer = await store.get(subscription.customer, 'customer');
  const lines = prorate(store, customer, subscription, price);
  const invoice = await createInvoice(store, customer, subscription, lines, 'subscription_update');
  subscription.latest_invoice = invoice.id;
  const reason = await payInvoice(store, customer, invoice, 'now');
  if (reason === null) {
    getItem(subscription).price = price;
    subscription.pending_update = null;
  } else {
    const expires = store.now(customer) + 23 * 3_600;
    subscription.pending_update = { expires_at: expires, subscription_items: [{ price }], _invoice: invoice.id };
  }
  await store.put(subscription, 'customer.subscription.updated');
}

/**
 * Pays an open invoice from its page and applies a pending change. Throws `CardDeclinedError` if the card is declined.
 */
export async function payOpenInvoice(store: Store, invoice: Invoice): Promise<void> {
  const customer = await store.get(invoice.customer, 'customer');
  const reason = await payInvoice(store, customer, invoice, 'now');
  if (reason !== null) throw new CardDeclinedError(reason);
  const subscription = await store.get(invoice.parent.subscription_details.subscription, 'subscription');
  const { pending_update: pending } = subscription;
  const isPending = pending?._invoice === invoice.id;
  if (isPending) {
    getItem(subscription).price = pending.subscription_items[0]!.price;
    subscription.pending_update = null;
  }
  if (subscription.status === 'past_due') subscription.status = 'active';
  await store.put(subscription, `customer.subscription.${isPending ? 'pending_update_applied' : 'updated'}`);
}

export async function endSubscription(store: Store, subscription: Subscription): Promise<Subscription> {
  if (subscription.status === 'canceled') throw new PaymentsError('resource_missing', { status: 404, param: 'id' });
  const customer = await store.get(subscription.customer, 'customer');
  const now = store.now(customer);
  subscription.status = 'canceled';
  subscription.canceled_at = now;
  subscription.ended_at = now;
  subscription.schedule = null;
  return store.put(subscription, 'customer.subscription.deleted');
}

const MAX_UNPAID_SECONDS = 14 * 86_400;

/**
 * Processes everything due on the customer's clock: ends, pending changes, and one renewal per call. Returns true if
 * something was due.
 */
export async function renew(store: Store, subscription: Subscription): Promise<boolean> {
  const customer = await store.get(subscription.customer, 'customer');
  const now = store.now(customer);
  const item = getItem(subscription);
  const { status, cancel_at: at, cancel_at_period_end: atEnd, pending_update: pending } = subscription;
  if (status !== 'active' && status !== 'past_due') return false;
  const isOver = item.current_period_end <= now;
  const isUnpaid = status === 'past_due' && item.current_period_start + MAX_UNPAID_SECONDS <= now;
  if ((at && at <= now) || (atEnd && isOver) || isUnpaid) {
    await endSubscription(store, subscription);
    return true;
  }
  if (pending && pending.expires_at <= now) {
    subscription.pending_update = null;
    await store.put(subscription, 'customer.subscription.pending_update_expired');
  }
  if (!isOver || status === 'past_due') return false;
  if (subscription.schedule) {
    const schedule = await store.get(subscription.schedule, 'subscription_schedule');
    const next = schedule.phases.find(({ start_date: start }) => start >= item.current_period_end);
    if (next) item.price = await store.get(next.items[0]!.price, 'price');
    await store.put({ ...schedule, status: 'released' });
    subscription.schedule = null;
  }
  item.current_period_start = item.current_period_end;
  item.current_period_end = addInterval(item.current_period_start, item.price.recurring);
  const lines = [{ price: item.price, amount: item.price.unit_amount }];
  const invoice = await createInvoice(store, customer, subscription, lines, 'subscription_cycle');
  subscription.latest_invoice = invoice.id;
  if ((await payInvoice(store, customer, invoice, 'later')) !== null) subscription.status = 'past_due';
  await store.put(subscription, 'customer.subscription.updated');
  return true;
}
