import assert from 'node:assert/strict';
import { test } from 'vitest';
import type Stripe from 'stripe';
import { toReversals, toProviderInvoice } from './map-stripe-objects.ts';

/** Parses an invoice in the API's format. */
const parseInvoice = (fields: object) =>
  toProviderInvoice({
    id: 'in_1',
    number: 'A-1',
    status: 'paid',
    currency: 'usd',
    created: 1_780_000_000,
    total: 1_200,
    total_excluding_tax: 1_000,
    amount_paid: 1_200,
    hosted_invoice_url: null,
    status_transitions: { paid_at: 1_780_000_100 },
    lines: { data: [] },
    payments: { data: [{ payment: { type: 'payment_intent', payment_intent: 'pi_1' } }] },
    ...fields,
  } as unknown as Stripe.Invoice);

const readReversals = (refunds: object[], disputes: object[] = []) =>
  toReversals(
    [{ id: 'ch_1', payment_intent: 'pi_1', refunds: { data: refunds } }] as unknown as Stripe.Charge[],
    disputes as unknown as Stripe.Dispute[],
    [parseInvoice({})],
  ).map(({ kind, invoiceId, netMinor }) => [kind, invoiceId, netMinor]);

const refund = (id: string, amount: number, status: string) => ({
  id,
  amount,
  status,
  created: 1,
  currency: 'usd',
  payment_intent: 'pi_1',
});

test('counts neither trial, open or uncollected invoices nor tax as revenue', () => {
  assert.equal(parseInvoice({}).netMinor, 1_000);
  assert.equal(parseInvoice({ total: 0, total_excluding_tax: 0, amount_paid: 0 }).netMinor, 0);
  for (const status of ['draft', 'open', 'void', 'uncollectible', null])
    assert.equal(parseInvoice({ status }).netMinor, 0);
  assert.equal(parseInvoice({ amount_paid: 600 }).netMinor, 500, 'the part that was paid, without its share of tax');
});

test('counts the refunded amount without tax once', () => {
  assert.deepEqual(
    readReversals([
      refund('re_1', 600, 'succeeded'),
      refund('re_2', 600, 'succeeded'),
      refund('re_3', 1_200, 'failed'),
      refund('re_4', 1_200, 'pending'),
    ]),
    [
      ['refund', 'in_1', 500],
      ['refund', 'in_1', 500],
      ['refund', 'in_1', 0],
      ['refund', 'in_1', 0],
    ],
  );
});

test('counts a dispute only while the money is withdrawn', () => {
  const dispute = (status: string, ...amounts: number[]) => ({
    id: 'du_1',
    status,
    created: 1,
    currency: 'usd',
    payment_intent: 'pi_1',
    balance_transactions: amounts.map((amount) => ({ amount })),
  });
  assert.deepEqual(readReversals([], [dispute('warning_needs_response')]), [['dispute', 'in_1', 0]]);
  assert.deepEqual(readReversals([], [dispute('needs_response', -1_200)]), [['dispute', 'in_1', 1_000]]);
  assert.deepEqual(readReversals([], [dispute('won', -1_200, 1_200)]), [['dispute', 'in_1', 0]]);
});
