import { newId, type Store } from './store.ts';
import type { PayObject } from './queries.ts';

/** Test cards, and what each does: at once, and when a subscription renews. */
export const CARDS = {
  '4242': { label: 'Card ending in 4242: pays', now: null, later: null },
  '0002': { label: 'Card ending in 0002: is declined', now: 'card_declined', later: 'card_declined' },
  '9995': {
    label: 'Card ending in 9995: has insufficient funds',
    now: 'insufficient_funds',
    later: 'insufficient_funds',
  },
  '0341': { label: 'Card ending in 0341: pays now, is declined at renewals', now: null, later: 'card_declined' },
  '0259': { label: 'Card ending in 0259: pays, and the payment is disputed', now: null, later: null },
} as const satisfies Record<string, { label: string; now: string | null; later: string | null }>;

export type CardName = keyof typeof CARDS;

export interface Line {
  price: PayObject;
  amount: number;
}

/** What the lines come to; what would be given back is none of it. */
export const totalOf = (lines: readonly Line[]): number =>
  Math.max(
    0,
    lines.reduce((sum, { amount }) => sum + amount, 0),
  );

/** Makes an open invoice of a subscription; the metadata are a copy of this moment. */
export async function makeInvoice(
  store: Store,
  customer: PayObject,
  subscription: PayObject,
  lines: readonly Line[],
  reason: string,
): Promise<PayObject> {
  const now = store.now(customer);
  const total = totalOf(lines);
  const token = newId('inv');
  const invoice: PayObject = {
    ...{ id: newId('in'), object: 'invoice', customer: customer.id, created: now, livemode: false },
    ...{ currency: subscription['currency'], status: 'open', billing_reason: reason, metadata: {} },
    ...{ number: `TEST-${token.slice(-8).toUpperCase()}`, total, subtotal: total, total_excluding_tax: total },
    ...{ amount_due: total, amount_paid: 0, amount_remaining: total, attempted: true, attempt_count: 0 },
    ...{ period_start: now, period_end: now, hosted_invoice_url: `${customer['_site']}/_pay/invoice/${token}` },
    ...{ status_transitions: { finalized_at: now, paid_at: null, voided_at: null, marked_uncollectible_at: null } },
    lines: {
      ...{ object: 'list', has_more: false, url: '' },
      data: lines.map(({ price, amount }) => ({
        ...{ id: newId('il'), object: 'line_item', amount, currency: price['currency'] },
        pricing: { type: 'price_details', price_details: { price: price.id, product: price['product'] } },
      })),
    },
    parent: {
      ...{ type: 'subscription_details', quote_details: null },
      subscription_details: { subscription: subscription.id, metadata: { ...subscription['metadata'] } },
    },
    ...{ payments: { object: 'list', data: [], has_more: false, url: '' }, _token: token },
  };
  return store.put(invoice, 'invoice.finalized');
}

/** Tries the card; the reason of a refusal, or null where it is paid. */
export async function payInvoice(
  store: Store,
  customer: PayObject,
  invoice: PayObject,
  when: 'now' | 'later',
): Promise<string | null> {
  const card = (customer['_card'] ?? '0002') as CardName;
  const refused = invoice['total'] > 0 ? CARDS[card][when] : null;
  invoice['attempt_count'] += 1;
  if (refused !== null) {
    await store.put(invoice, 'invoice.payment_failed');
    return refused;
  }
  const now = store.now(customer);
  const payment = newId('pi');
  Object.assign(invoice, { status: 'paid', amount_paid: invoice['total'], amount_remaining: 0 });
  invoice['status_transitions'].paid_at = now;
  if (invoice['total'] > 0) {
    invoice['payments'].data = [
      {
        ...{ id: newId('inpay'), object: 'invoice_payment', invoice: invoice.id, status: 'paid', created: now },
        ...{ amount_paid: invoice['total'], amount_requested: invoice['total'], currency: invoice['currency'] },
        ...{ is_default: true, livemode: false, payment: { type: 'payment_intent', payment_intent: payment } },
      },
    ];
    const charge = await store.put({
      ...{ id: newId('ch'), object: 'charge', customer: customer.id, payment_intent: payment, created: now },
      ...{ amount: invoice['total'], amount_refunded: 0, currency: invoice['currency'], status: 'succeeded' },
      ...{ paid: true, refunded: false, disputed: card === '0259', livemode: false, metadata: {} },
      refunds: { object: 'list', data: [], has_more: false, url: '' },
    });
    if (card === '0259') await dispute(store, charge);
  }
  await store.put(invoice, 'invoice.paid');
  return null;
}

async function dispute(store: Store, charge: PayObject): Promise<void> {
  const made: PayObject = {
    ...{ id: newId('du'), object: 'dispute', customer: charge.customer ?? null, charge: charge.id },
    ...{ payment_intent: charge['payment_intent'], amount: charge['amount'], currency: charge['currency'] },
    ...{ created: charge['created'], status: 'needs_response', reason: 'fraudulent', livemode: false, metadata: {} },
    balance_transactions: [{ id: newId('txn'), object: 'balance_transaction', amount: -charge['amount'] }],
  };
  await store.put(made, 'charge.dispute.created');
}

/** Gives money back, all that is left where no amount is named; `undefined` where nothing is left. */
export async function refundCharge(
  store: Store,
  charge: PayObject,
  amount: number = charge['amount'] - charge['amount_refunded'],
): Promise<PayObject | undefined> {
  if (amount <= 0 || amount > charge['amount'] - charge['amount_refunded']) return undefined;
  const refund: PayObject = {
    ...{ id: newId('re'), object: 'refund', charge: charge.id, payment_intent: charge['payment_intent'] },
    ...{ amount, currency: charge['currency'], status: 'succeeded', created: store.now(), metadata: {} },
  };
  charge['amount_refunded'] += amount;
  charge['refunded'] = charge['amount_refunded'] === charge['amount'];
  charge['refunds'].data.unshift(refund);
  await store.put(charge);
  await store.emit('refund.created', { ...refund, customer: charge.customer ?? null });
  return refund;
}
