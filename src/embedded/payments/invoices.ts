import { CARDS } from './cards.ts';
import { createCharge } from './charges.ts';
import type { Customer, Invoice, Price, Subscription } from './objects.ts';
import { PAYMENTS_PATH } from './payments-context.ts';
import { newId, type Store } from './store.ts';

export interface Line {
  price: Price;
  amount: number;
}

/** Returns the sum of the lines, at least 0. A credit beyond the charges is not paid out. */
export function computeTotal(lines: readonly Line[]): number {
  const sum = lines.reduce((total, { amount }) => total + amount, 0);
  return Math.max(0, sum);
}

/** Creates an open invoice of a subscription with a copy of the current metadata. */
export async function createInvoice(
  store: Store,
  customer: Customer,
  subscription: Subscription,
  lines: readonly Line[],
  reason: Invoice['billing_reason'],
): Promise<Invoice> {
  const now = store.now(customer);
  const total = computeTotal(lines);
  const token = newId('inv');
  return store.put<Invoice>(
    {
      id: newId('in'),
      object: 'invoice',
      customer: customer.id,
      created: now,
      livemode: false,
      currency: subscription.currency,
      status: 'open',
      billing_reason: reason,
      metadata: {},
      number: `TEST-${token.slice(-8).toUpperCase()}`,
      total,
      subtotal: total,
      total_excluding_tax: total,
      amount_due: total,
      amount_paid: 0,
      amount_remaining: total,
      attempted: true,
      attempt_count: 0,
      period_start: now,
      period_end: now,
      hosted_invoice_url: `${customer._site}${PAYMENTS_PATH}/invoice/${token}`,
      status_transitions: { finalized_at: now, paid_at: null, voided_at: null, marked_uncollectible_at: null },
      lines: {
        object: 'list',
        has_more: false,
        url: '',
        data: lines.map(({ price, amount }) => ({
          id: newId('il'),
          object: 'line_item',
          amount,
          currency: price.currency,
          pricing: { type: 'price_details', price_details: { price: price.id, product: price.product } },
        })),
      },
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { subscription: subscription.id, metadata: { ...subscription.metadata } },
      },
      payments: { object: 'list', data: [], has_more: false, url: '' },
      _token: token,
    },
    'invoice.finalized',
  );
}

/** Charges the card. Returns the reason of a decline, or null if the invoice is paid. */
export async function payInvoice(
  store: Store,
  customer: Customer,
  invoice: Invoice,
  when: 'now' | 'later',
): Promise<string | null> {
  const card = customer._card ?? '0002';
  const declineReason = invoice.total > 0 ? CARDS[card][when] : null;
  invoice.attempt_count += 1;
  if (declineReason !== null) {
    await store.put(invoice, 'invoice.payment_failed');
    return declineReason;
  }
  const now = store.now(customer);
  const payment = newId('pi');
  invoice.status = 'paid';
  invoice.amount_paid = invoice.total;
  invoice.amount_remaining = 0;
  invoice.status_transitions.paid_at = now;
  if (invoice.total > 0) {
    invoice.payments.data = [
      {
        id: newId('inpay'),
        object: 'invoice_payment',
        invoice: invoice.id,
        status: 'paid',
        created: now,
        amount_paid: invoice.total,
        amount_requested: invoice.total,
        currency: invoice.currency,
        is_default: true,
        livemode: false,
        payment: { type: 'payment_intent', payment_intent: payment },
      },
    ];
    await createCharge(store, {
      customer: customer.id,
      payment_intent: payment,
      created: now,
      amount: invoice.total,
      currency: invoice.currency,
      disputed: card === '0259',
    });
  }
  await store.put(invoice, 'invoice.paid');
  return null;
}
