import assert from 'node:assert/strict';
import { test } from 'vitest';
import type Stripe from 'stripe';
import { readCharges, readInvoice } from './read-stripe.ts';

/** An invoice as the wire has it, with what is read of it. */
const invoice = (part: object) =>
  readInvoice({
    ...{ id: 'in_1', number: 'A-1', status: 'paid', currency: 'usd', created: 1_780_000_000 },
    ...{ total: 1_200, total_excluding_tax: 1_000, amount_paid: 1_200, hosted_invoice_url: null },
    ...{ status_transitions: { paid_at: 1_780_000_100 }, lines: { data: [] } },
    payments: { data: [{ payment: { type: 'payment_intent', payment_intent: 'pi_1' } }] },
    ...part,
  } as unknown as Stripe.Invoice);

const reversed = (refunds: object[], disputes: object[] = []) =>
  readCharges(
    [{ id: 'ch_1', payment_intent: 'pi_1', refunds: { data: refunds } }] as unknown as Stripe.Charge[],
    disputes as unknown as Stripe.Dispute[],
    [invoice({})],
  ).map(({ kind, invoiceId, netMinor }) => [kind, invoiceId, netMinor]);

const refund = (id: string, amount: number, status: string) => ({
  ...{ id, amount, status, created: 1, currency: 'usd', payment_intent: 'pi_1' },
});

test('an invoice of a trial, an open one and one that was not collected are no revenue; tax never is', () => {
  assert.equal(invoice({}).netMinor, 1_000);
  assert.equal(invoice({ total: 0, total_excluding_tax: 0, amount_paid: 0 }).netMinor, 0);
  for (const status of ['draft', 'open', 'void', 'uncollectible', null]) assert.equal(invoice({ status }).netMinor, 0);
  assert.equal(invoice({ amount_paid: 600 }).netMinor, 500, 'the part that was paid, without its share of tax');
});

test('refunds count by what went back without tax: a part of it, once each, and nothing of one that failed', () => {
  assert.deepEqual(
    reversed([
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

test('a dispute counts while the money is withdrawn, and no more once it is won', () => {
  const dispute = (status: string, ...amounts: number[]) => ({
    ...{ id: 'du_1', status, created: 1, currency: 'usd', payment_intent: 'pi_1' },
    balance_transactions: amounts.map((amount) => ({ amount })),
  });
  assert.deepEqual(reversed([], [dispute('warning_needs_response')]), [['dispute', 'in_1', 0]]);
  assert.deepEqual(reversed([], [dispute('needs_response', -1_200)]), [['dispute', 'in_1', 1_000]]);
  assert.deepEqual(reversed([], [dispute('won', -1_200, 1_200)]), [['dispute', 'in_1', 0]]);
});
