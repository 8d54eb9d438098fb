import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { timestampedHmac } from '../../../platform/http/webhook-schemes/timestamped-hmac.ts';
import type { OrderMarks, Payments, ProviderCheckout, ProviderSubscription } from './payments.ts';
import { readSubscription, readCharges, readInvoice, readSession } from './read-stripe.ts';
import { all, checked, createStripeClient, type StripeSettings } from './stripe-client.ts';

export interface StripePaymentSettings extends StripeSettings {
  /** What signs its events. */
  webhookSecret: () => Promise<string>;
  /** Whether events must be of real payments. */
  livemode: boolean;
  /** No money moves, and members are told so. */
  isTest: boolean;
}

/** The same on the session and on the subscription: the provider copies neither to the other. */
const marksOf = ({ checkoutId, tier, entry }: OrderMarks): Record<string, string> => ({
  checkout_id: checkoutId,
  tier,
  ...(entry && { upgrade_entry_source: entry }),
});

const keyOf = (...parts: string[]): { idempotencyKey: string } => ({ idempotencyKey: parts.join(':') });
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The payment provider through its own library. */
export function createStripePayments({
  webhookSecret,
  livemode,
  isTest,
  ...settings
}: StripePaymentSettings): Payments {
  const run = createStripeClient(settings);
  /** A schedule forbids other changes; one that is released is taken back. */
  const release = ({ scheduleId }: ProviderSubscription) =>
    run(async (stripe) => {
      if (scheduleId) checked(await stripe.subscriptionSchedules.release(scheduleId));
    });
  return {
    isTest,
    livemode,
    webhookScheme: async (delivery, time) =>
      timestampedHmac('stripe-signature', [await webhookSecret()])(delivery, time),
    createCustomer: (payer) =>
      run(async (stripe) => {
        const made = await stripe.customers.create({ metadata: { payer } }, keyOf('customer', payer));
        return checked(made).id;
      }),
    createPrice: (tier, { amountMinor, currency, interval }) =>
      run(async (stripe) => {
        const made = await stripe.prices.create(
          {
            unit_amount: amountMinor,
            currency: currency.toLowerCase(),
            recurring: { interval },
            product_data: { name: `Tally ${tier === 'max' ? 'Max' : 'Pro'}` },
            metadata: { tier },
          },
          keyOf('price', tier, String(amountMinor), currency, interval),
        );
        return checked(made).id;
      }),
    createCheckout: ({ customerId, priceId, marks, successUrl, cancelUrl }) =>
      run<ProviderCheckout>(async (stripe) => {
        const metadata = marksOf(marks);
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: customerId,
            client_reference_id: marks.checkoutId,
            line_items: [{ price: priceId, quantity: 1 }],
            metadata,
            subscription_data: { metadata },
            success_url: successUrl,
            cancel_url: cancelUrl,
          },
          keyOf('checkout', marks.checkoutId),
        );
        return readSession(checked(session));
      }),
    readCheckout: (id) => run(async (stripe) => readSession(checked(await stripe.checkout.sessions.retrieve(id)))),
    expireCheckout: (id) => run(async (stripe) => void checked(await stripe.checkout.sessions.expire(id))),
    expireCheckoutsOf: (customer) =>
      run(async (stripe) => {
        const open = await all((page) => stripe.checkout.sessions.list({ ...page, customer, status: 'open' }));
        for (const { id } of open) checked(await stripe.checkout.sessions.expire(id));
      }),
    readCustomer: (customer) =>
      run(async (stripe) => {
        const subscriptions = await all((page) =>
          stripe.subscriptions.list({
            ...{ ...page, customer, status: 'all' },
            expand: ['data.schedule', 'data.latest_invoice'],
          }),
        );
        const invoices = (
          await all((page) => stripe.invoices.list({ ...page, customer, expand: ['data.payments'] }))
        ).map(readInvoice);
        const charges = await all((page) => stripe.charges.list({ ...page, customer, expand: ['data.refunds'] }));
        const disputes = [];
        for (const { id, disputed } of charges)
          if (disputed) disputes.push(...(await all((page) => stripe.disputes.list({ ...page, charge: id }))));
        return {
          ...{ subscriptions: subscriptions.map(readSubscription), invoices },
          reversals: readCharges(charges, disputes, invoices),
        };
      }),
    customerOfCharge: (id) =>
      run(async (stripe) => {
        const { customer } = checked(await stripe.charges.retrieve(id));
        return typeof customer === 'string' ? customer : (customer?.id ?? null);
      }),
    previewChange: (customer, { id, itemId }, price) =>
      run(async (stripe) => {
        const preview = await stripe.invoices.createPreview({
          ...{ customer, subscription: id },
          subscription_details: { items: [{ id: itemId, price }], proration_behavior: 'always_invoice' },
        });
        return { dueNowMinor: checked(preview).amount_due, currency: preview.currency.toUpperCase() };
      }),
    async upgrade(subscription, price, entry) {
      const { id, itemId, cancelAt, periodEnd } = subscription;
      const released = await release(subscription);
      if (!released.ok) return released;
      return run(async (stripe) => {
        // What waits for its payment may not say more than the price.
        if (cancelAt) checked(await stripe.subscriptions.update(id, { cancel_at_period_end: false }));
        const change: Stripe.SubscriptionUpdateParams = {
          items: [{ id: itemId, price }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'pending_if_incomplete',
          ...(entry && { metadata: { last_upgrade_entry_source: entry } }),
        };
        const state = digestOf(`${subscription.priceId} ${String(subscription.isUpgradePending)}`);
        const key = keyOf('upgrade', id, price, String(periodEnd.getTime()), state);
        checked(await stripe.subscriptions.update(id, change, key));
      });
    },
    async downgrade(subscription, price) {
      const { id, scheduleId, cancelAt } = subscription;
      return run(async (stripe) => {
        if (cancelAt && !scheduleId) checked(await stripe.subscriptions.update(id, { cancel_at_period_end: false }));
        const schedule = checked(
          scheduleId
            ? await stripe.subscriptionSchedules.retrieve(scheduleId)
            : await stripe.subscriptionSchedules.create({ from_subscription: id }),
        );
        const [{ start_date: start, end_date: end, items }] = schedule.phases as [(typeof schedule.phases)[0]];
        const current = items.map((item) => ({
          price: typeof item.price === 'string' ? item.price : item.price.id,
          quantity: item.quantity ?? 1,
        }));
        const updated = await stripe.subscriptionSchedules.update(schedule.id, {
          end_behavior: 'release',
          proration_behavior: 'none',
          phases: [
            { items: current, start_date: start, end_date: end },
            { items: [{ price, quantity: 1 }], start_date: end, proration_behavior: 'none' },
          ],
        });
        checked(updated);
      });
    },
    async setCancel(subscription, isCancelled) {
      const released = await release(subscription);
      if (!released.ok) return released;
      return run(async (stripe) => {
        const { id, cancelAt } = subscription;
        if (!isCancelled && !cancelAt) return;
        checked(await stripe.subscriptions.update(id, { cancel_at_period_end: isCancelled }));
      });
    },
    async end(id) {
      const ended = await run(async (stripe) => void checked(await stripe.subscriptions.cancel(id)));
      return !ended.ok && ended.code === 'resource_missing' ? { ok: true, value: undefined } : ended;
    },
    async refund(id) {
      const given = await run(
        async (stripe) => void checked(await stripe.refunds.create({ payment_intent: id }, keyOf('refund', id))),
      );
      return !given.ok && given.code === 'charge_already_refunded' ? { ok: true, value: undefined } : given;
    },
    createPortal: (customer, returnUrl) =>
      run(async (stripe) => {
        const made = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl });
        return checked(made).url;
      }),
  };
}
