import { selectCustomer } from './checkout-queries.ts';
import type { BillingContext } from './context.ts';
import type { Tier, UpgradeEntry } from './contract.ts';
import { ensurePrice } from './customer.ts';
import { compareTiers } from './movements.ts';
import type { PaymentResult, ProviderSubscription } from './payments/payments.ts';
import { selectLiveSubscription, selectPlans } from './queries.ts';
import { isLive } from './plan-sync.ts';
import { syncCustomer } from './sync-customer.ts';

type PlanChangeRejection = { ok: false; reason: 'unavailable' | 'not_for_sale' | 'not_subscribed' | 'same_plan' };

/** Reads the member's live subscription from the provider. */
async function readLiveSubscription(
  { sql, payments }: BillingContext,
  idpId: string,
): Promise<{ customerId: string; subscription: ProviderSubscription; tier: Tier } | PlanChangeRejection> {
  const live = await selectLiveSubscription(sql, idpId);
  const customer = await selectCustomer(sql, idpId);
  if (!live || !customer?.customer_id) return { ok: false, reason: 'not_subscribed' };
  const state = await payments.readCustomer(customer.customer_id);
  if (!state.ok) return { ok: false, reason: 'unavailable' };
  const subscription = state.value.subscriptions.find((candidate) => candidate.id === live.id);
  if (!subscription || !isLive(subscription)) return { ok: false, reason: 'not_subscribed' };
  return { customerId: customer.customer_id, subscription, tier: live.tier };
}

type Preview = { ok: true; dueNowMinor: number; currency: string; effectiveAt: Date } | PlanChangeRejection;

/** Returns the immediate cost of a change to another plan and the time of the change. Changes nothing. */
export async function previewChange(context: BillingContext, idpId: string, to: Tier): Promise<Preview> {
  const live = await readLiveSubscription(context, idpId);
  if ('ok' in live) {
    const price = (await selectPlans(context.sql)).find(({ tier }) => tier === to)?.price;
    if (live.reason !== 'not_subscribed') return live;
    if (!price) return { ok: false, reason: 'not_for_sale' };
    return { ok: true, dueNowMinor: price.amount_minor, currency: price.currency, effectiveAt: new Date() };
  }
  const { subscription, tier, customerId } = live;
  const { currency, periodEnd: effectiveAt } = subscription;
  const atPeriodEnd = { ok: true, dueNowMinor: 0, currency, effectiveAt } as const;
  if (to === tier) return { ok: false, reason: 'same_plan' };
  if (compareTiers(to, tier) < 0) return atPeriodEnd;
  const price = await ensurePrice(context, to);
  if (!price) return { ok: false, reason: 'not_for_sale' };
  const preview = price.ok && (await context.payments.previewChange(customerId, subscription, price.value));
  if (!preview || !preview.ok) return { ok: false, reason: 'unavailable' };
  return { ...atPeriodEnd, ...preview.value, effectiveAt: new Date() };
}

export type Change = { ok: true } | { ok: false; reason: 'payment_required'; url: string | null } | PlanChangeRejection;

/**
 * Changes the plan. A larger plan starts when its difference is paid, and a smaller plan starts with the next period.
 * Free ends the subscription with the period.
 */
export async function changePlan(
  context: BillingContext,
  idpId: string,
  { to, entry }: { to: Tier; entry: UpgradeEntry | null },
): Promise<Change> {
  const live = await readLiveSubscription(context, idpId);
  if ('ok' in live) return live;
  const { subscription, tier, customerId } = live;
  if (to === 'free')
    return syncAfterChange(context, customerId, await context.payments.setCancelAtPeriodEnd(subscription, true));
  if (to === tier) return { ok: false, reason: 'same_plan' };
  const price = await ensurePrice(context, to);
  if (!price) return { ok: false, reason: 'not_for_sale' };
  if (!price.ok) return { ok: false, reason: 'unavailable' };
  if (compareTiers(to, tier) < 0)
    return syncAfterChange(context, customerId, await context.payments.downgrade(subscription, price.value));
  // If the response of an earlier change was lost, a second change would be charged again.
  const isAlreadyChanged = subscription.priceId === price.value;
  const upgraded = isAlreadyChanged
    ? { ok: true as const, value: undefined }
    : context.payments.upgrade(subscription, price.value, entry);
  const changeResult = await syncAfterChange(context, customerId, await upgraded);
  const updatedSubscription = await selectLiveSubscription(context.sql, idpId);
  if (updatedSubscription?.tier === to) return { ok: true };
  if (!changeResult.ok || updatedSubscription?.payment_problem !== 'upgrade') return changeResult;
  return { ok: false, reason: 'payment_required', url: updatedSubscription.problem_url };
}

/** Ends the subscription with its period, or reverts a pending end or downgrade. */
export async function setCancellation(context: BillingContext, idpId: string, isCancelled: boolean): Promise<Change> {
  const live = await readLiveSubscription(context, idpId);
  if ('ok' in live) return live;
  return syncAfterChange(
    context,
    live.customerId,
    await context.payments.setCancelAtPeriodEnd(live.subscription, isCancelled),
  );
}

/** Synchronizes the customer after a change, also if the provider rejected it. */
async function syncAfterChange(
  context: BillingContext,
  customerId: string,
  result: PaymentResult<void>,
): Promise<Change> {
  await syncCustomer(context, customerId);
  return result.ok ? { ok: true } : { ok: false, reason: 'unavailable' };
}

/** Cancels all subscriptions of a deleted member's customer. Idempotent. Throws if the provider is unavailable. */
export async function cancelAllSubscriptions(context: BillingContext, customerId: string): Promise<void> {
  const throwIfFailed = (result: PaymentResult<unknown>): void => {
    if (!result.ok) throw new Error(`Failed to cancel a subscription: ${result.code}.`);
  };
  throwIfFailed(await context.payments.expireAllCheckouts(customerId));
  const state = await context.payments.readCustomer(customerId);
  throwIfFailed(state);
  for (const { id, status } of state.ok ? state.value.subscriptions : [])
    if (status !== 'canceled' && status !== 'incomplete_expired')
      throwIfFailed(await context.payments.cancelSubscription(id));
  await syncCustomer(context, customerId);
}
