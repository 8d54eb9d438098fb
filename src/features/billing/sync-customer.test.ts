import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { createLogger } from '../../platform/http/logger.ts';
import type { CustomerState, Payments, ProviderSubscription } from './payments/payments.ts';
import { syncCustomer } from './sync-customer.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.owner(
    `insert into public.billing_prices (price_id, tier, amount_minor, currency, price_interval)
     values ('price_pro', 'pro', 999, 'USD', 'month')`,
  );
});
afterAll(() => db.drop());

const subscription = (id: string, priceId: string, metadata: Record<string, string> = {}): ProviderSubscription => ({
  id,
  itemId: `item_${id}`,
  status: 'active',
  priceId,
  amountMinor: 999,
  currency: 'USD',
  interval: 'month',
  periodEnd: new Date('2027-01-01'),
  startedAt: new Date('2026-01-01'),
  endedAt: null,
  cancelAt: null,
  scheduleId: null,
  next: null,
  isUpgradePending: false,
  openInvoiceUrl: null,
  metadata: { checkout_id: `checkout_${id}`, ...metadata },
});

const invoice = (subscriptionId: string): CustomerState['invoices'][number] => ({
  id: `invoice_${subscriptionId}`,
  subscriptionId,
  number: null,
  status: 'paid',
  currency: 'USD',
  totalMinor: 999,
  netMinor: 999,
  priceId: null,
  url: null,
  createdAt: new Date('2026-01-01'),
  paidAt: new Date('2026-01-01'),
  paymentIds: [`payment_${subscriptionId}`],
  metadata: {},
});

/** Adds a member with a customer at the provider. */
async function addCustomer(customerId: string): Promise<void> {
  await db.owner(`insert into public.all_users (idp_id) values ($1)`, [`user_${customerId}`]);
  await db.owner(
    `with p as (insert into public.billing_payers (customer_id) values ($2) returning payer)
     insert into public.billing_customers (idp_id, payer) select $1, payer from p`,
    [`user_${customerId}`, customerId],
  );
}

/** Synchronizes paid subscriptions and returns the refunded and the canceled ones. */
async function sync(
  customerId: string,
  subscriptions: readonly ProviderSubscription[],
  { whileReading = async () => {} }: { whileReading?: () => Promise<unknown> } = {},
): Promise<string[]> {
  const calls: string[] = [];
  const ended = new Set<string>();
  const payments: Pick<Payments, 'readCustomer' | 'refund' | 'cancelSubscription'> = {
    async readCustomer() {
      await whileReading();
      const current = subscriptions.map((stored) =>
        ended.has(stored.id) ? { ...stored, status: 'canceled' as const } : stored,
      );
      return {
        ok: true,
        value: { subscriptions: current, invoices: subscriptions.map(({ id }) => invoice(id)), reversals: [] },
      };
    },
    async refund(paymentId) {
      calls.push(`refund ${paymentId}`);
      return { ok: true, value: undefined };
    },
    async cancelSubscription(id) {
      calls.push(`end ${id}`);
      ended.add(id);
      return { ok: true, value: undefined };
    },
  };
  await syncCustomer(
    {
      sql: db.database.service,
      logger: createLogger('silent'),
      payments: payments as Payments,
      captureInTransaction: async () => {},
      hasDeclinedAnalytics: false,
    },
    customerId,
  );
  return calls;
}

const duplicates = [subscription('pro', 'price_pro'), subscription('max', 'price_other', { tier: 'max' })];

test('refunds the smaller plan when the larger one has a price of no known plan', async () => {
  await addCustomer('cus_unknown_price');
  assert.deepEqual(await sync('cus_unknown_price', duplicates), ['refund payment_pro', 'end pro']);
});

test('ranks a subscription by its stored tier when its price has no plan anymore', async () => {
  await addCustomer('cus_stored');
  await sync('cus_stored', [subscription('first', 'price_other', { tier: 'max' })]);
  const subscriptions = [subscription('pro', 'price_pro'), subscription('first', 'price_other')];
  assert.deepEqual(await sync('cus_stored', subscriptions), ['refund payment_pro', 'end pro']);
});

test('refunds nothing when the second subscription has no known tier', async () => {
  await addCustomer('cus_no_tier');
  const subscriptions = [subscription('pro', 'price_pro'), subscription('other', 'price_other')];
  assert.deepEqual(await sync('cus_no_tier', subscriptions), []);
});

test('refunds nothing when a later sync was written during the read', async () => {
  await addCustomer('cus_superseded');
  const whileReading = async () => {
    const [next] = await db.owner<{ version: string }>(`select nextval('public.billing_sync_versions') as version`);
    await db.owner(`update public.billing_payers set sync_version = $1 where customer_id = 'cus_superseded'`, [
      next!.version,
    ]);
  };
  assert.deepEqual(await sync('cus_superseded', duplicates, { whileReading }), []);
});

test('refunds nothing when the customer is unknown', async () => {
  assert.deepEqual(await sync('cus_of_another_service', duplicates), []);
});
