import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { createTimestampedHmacScheme } from '../../../platform/http/webhook-schemes/timestamped-hmac.ts';
import type { CheckoutMetadata, Payments, ProviderCheckout, ProviderSubscription } from './payments.ts';
import { toProviderSubscription, toReversals, toProviderInvoice, toProviderCheckout } from './map-stripe-objects.ts';
import { listAll, assertStripeObject, createStripeClient, type StripeSettings } from './stripe-client.ts';

export interface StripePaymentSettings extends StripeSettings {
  /** Returns the signing secret of events. */
  webhookSecret: () => Promise<string>;
  /** Expected `livemode` of events. */
  livemode: boolean;
  /** True if no money is charged. Members see a notice. */
  isTest: boolean;
}

/** Metadata of both session and subscription. The provider does not copy them from one to the other. */
const toStripeMetadata = ({ checkoutId, tier, entry }: CheckoutMetadata): Record<string, string> => ({
  checkout_id: checkoutId,
  tier,
  ...(entry && { upgrade_entry_source: entry }),
});

const toIdempotencyOptions = (...parts: string[]): { idempotencyKey: string } => ({ idempotencyKey: parts.join(':') });
const computeDigest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Creates the payment provider's adapter on its own library. */
export function createStripePayments({
  webhookSecret,
  livemode,
  isTest,
  ...settings
}: StripePaymentSettings): Payments {
  const run = createStripeClient(settings);
  /** A schedule prevents other changes. Releasing the schedule also removes its pending change. */
  const releaseSchedule = ({ scheduleId }: ProviderSubscription) =>
    run(async (stripe) => {
      if (scheduleId) assertStripeObject(await stripe.subscriptionSchedules.release(scheduleId));
    });
  return {
    isTest,
    livemode,
    webhookScheme: async (delivery, time) =>
      createTimestampedHmacScheme('stripe-signature', [await webhookSecret()])(delivery, time),
    createCustomer: (payer) =>
      run(async (stripe) => {
        const created = await stripe.customers.create({ metadata: { payer } }, toIdempotencyOptions('customer', payer));
        return assertStripeObject(created).id;
      }),
    createPrice: (tier, { amountMinor, currency, interval }) =>
      run(async (stripe) => {
        const created = await stripe.prices.create(
          {
            unit_amount: amountMinor,
            currency: currency.toLowerCase(),
            recurring: { interval },
            product_data: { name: `Tally ${tier === 'max' ? 'Max' : 'Pro'}` },
            metadata: { tier },
          },
          toIdempotencyOptions('price', tier, String(amountMinor), currency, interval),
        );
        return assertStripeObject(created).id;
      }),
    createCheckout: ({ customerId, priceId, checkoutMetadata, successUrl, cancelUrl }) =>
      run<ProviderCheckout>(async (stripe) => {
        const metadata = toStripeMetadata(checkoutMetadata);
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: customerId,
            client_reference_id: checkoutMetadata.checkoutId,
            line_items: [{ price: priceId, quantity: 1 }],
            metadata,
            subscription_data: { metadata },
            success_url: successUrl,
            cancel_url: cancelUrl,
          },
          toIdempotencyOptions('checkout', checkoutMetadata.checkoutId),
        );
        return toProviderCheckout(assertStripeObject(session));
      }),
    readCheckout: (id) =>
      run(async (stripe) => toProviderCheckout(assertStripeObject(await stripe.checkout.sessions.retrieve(id)))),
    expireCheckout: (id) =>
      run(async (stripe) => {
        assertStripeObject(await stripe.checkout.sessions.expire(id));
      }),
    expireAllCheckouts: (customer) =>
      run(async (stripe) => {
        const openSessions = await listAll((page) =>
          stripe.checkout.sessions.list({ ...page, customer, status: 'open' }),
        );
        for (const { id } of openSessions) assertStripeObject(await stripe.checkout.sessions.expire(id));
      }),
    readCustomer: (customer) =>
      run(async (stripe) => {
        const subscriptions = await listAll((page) =>
          stripe.subscriptions.list({
            ...page,
            customer,
            status: 'all',
            expand: ['data.schedule', 'data.latest_invoice'],
          }),
        );
        const invoices = (
          await listAll((page) => stripe.invoices.list({ ...page, customer, expand: ['data.payments'] }))
        ).map(toProviderInvoice);
        const charges = await listAll((page) => stripe.charges.list({ ...page, customer, expand: ['data.refunds'] }));
        const disputes = [];
        for (const { id, disputed } of charges)
          if (disputed) disputes.push(...(await listAll((page) => stripe.disputes.list({ ...page, charge: id }))));
        return {
          subscriptions: subscriptions.map(toProviderSubscription),
          invoices,
          reversals: toReversals(charges, disputes, invoices),
        };
      }),
    findCustomerOfCharge: (id) =>
      run(async (stripe) => {
        const { customer } = assertStripeObject(await stripe.charges.retrieve(id));
        return typeof customer === 'string' ? customer : (customer?.id ?? null);
      }),
    previewChange: (customer, { id, itemId }, price) =>
      run(async (stripe) => {
        const preview = await stripe.invoices.createPreview({
          customer,
          subscription: id,
          subscription_details: { items: [{ id: itemId, price }], proration_behavior: 'always_invoice' },
        });
        return { dueNowMinor: assertStripeObject(preview).amount_due, currency: preview.currency.toUpperCase() };
      }),
    async upgrade(subscription, price, entry) {
      const { id, itemId, cancelAt, periodEnd } = subscription;
      const releaseResult = await releaseSchedule(subscription);
      if (!releaseResult.ok) return releaseResult;
      return run(async (stripe) => {
        // An update with a pending payment may change only the price.
        if (cancelAt) assertStripeObject(await stripe.subscriptions.update(id, { cancel_at_period_end: false }));
        const change: Stripe.SubscriptionUpdateParams = {
          items: [{ id: itemId, price }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'pending_if_incomplete',
          ...(entry && { metadata: { last_upgrade_entry_source: entry } }),
        };
        const stateDigest = computeDigest(`${subscription.priceId} ${String(subscription.isUpgradePending)}`);
        const key = toIdempotencyOptions('upgrade', id, price, String(periodEnd.getTime()), stateDigest);
        assertStripeObject(await stripe.subscriptions.update(id, change, key));
      });
    },
    async downgrade(subscription, price) {
      const { id, scheduleId, cancelAt } = subscription;
      return run(async (stripe) => {
        if (cancelAt && !scheduleId)
          assertStripeObject(await stripe.subscriptions.update(id, { cancel_at_period_end: false }));
        const schedule = assertStripeObject(
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
        assertStripeObject(updated);
      });
    },
    async setCancelAtPeriodEnd(subscription, isCancelled) {
      const releaseResult = await releaseSchedule(subscription);
      if (!releaseResult.ok) return releaseResult;
      return run(async (stripe) => {
        const { id, cancelAt } = subscription;
        if (!isCancelled && !cancelAt) return;
        assertStripeObject(await stripe.subscriptions.update(id, { cancel_at_period_end: isCancelled }));
      });
    },
    async cancelSubscription(id) {
      const result = await run(async (stripe) => {
        assertStripeObject(await stripe.subscriptions.cancel(id));
      });
      return !result.ok && result.code === 'resource_missing' ? { ok: true, value: undefined } : result;
    },
    async refund(id) {
      const result = await run(async (stripe) => {
        assertStripeObject(await stripe.refunds.create({ payment_intent: id }, toIdempotencyOptions('refund', id)));
      });
      return !result.ok && result.code === 'charge_already_refunded' ? { ok: true, value: undefined } : result;
    },
    createPortal: (customer, returnUrl) =>
      run(async (stripe) => {
        const created = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl });
        return assertStripeObject(created).url;
      }),
  };
}
