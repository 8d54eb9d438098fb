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

/** The member's live subscription as the provider has it now. */
async function readLiveSubscription(
  { sql, payments }: BillingContext,
  idpId: string,
): Promise<{ customerId: string; subscription: ProviderSubscription; tier: Tier } | PlanChangeRejection> {
  const [live, customer] = [await selectLiveSubscription(sql, idpId), await selectCustomer(sql, idpId)];
  if (!live || !customer?.customer_id) return { ok: false, reason: 'not_subscribed' };
  const state = await payments.readCustomer(customer.customer_id);
  if (!state.ok) return { ok: false, reason: 'unavailable' };
  const subscription = state.value.subscriptions.find((candidate) => candidate.id === live.id);
  if (!subscription || !isLive(subscription)) return { ok: false, reason: 'not_subscribed' };
  return { customerId: customer.customer_id, subscription, tier: live.tier };
}

type Preview = { ok: true; dueNowMinor: number; currency: string; effectiveAt: Date } | PlanChangeRejection;

/** What a change to another plan would cost now, and when it would take hold. Changes nothing. */
export async function previewChange(ctx: BillingContext, idpId: string, to: Tier): Promise<Preview> {
  const live = await readLiveSubscription(ctx, idpId);
  if ('ok' in live) {
    const price = (await selectPlans(ctx.sql)).find(({ tier }) => tier === to)?.price;
    if (live.reason !== 'not_subscribed') return live;
    if (!price) return { ok: false, reason: 'not_for_sale' };
    return { ok: true, dueNowMinor: price.amount_minor, currency: price.currency, effectiveAt: new Date() };
  }
  const { subscription, tier, customerId } = live;
  const { currency, periodEnd: effectiveAt } = subscription;
  const atPeriodEnd = { ok: true, dueNowMinor: 0, currency, effectiveAt } as const;
  if (to === tier) return { ok: false, reason: 'same_plan' };
  if (compareTiers(to, tier) < 0) return atPeriodEnd;
  const price = await ensurePrice(ctx, to);
  if (!price) return { ok: false, reason: 'not_for_sale' };
  const preview = price.ok && (await ctx.payments.previewChange(customerId, subscription, price.value));
  if (!preview || !preview.ok) return { ok: false, reason: 'unavailable' };
  return { ...atPeriodEnd, ...preview.value, effectiveAt: new Date() };
}

export type Change = { ok: true } | { ok: false; reason: 'payment_required'; url: string | null } | PlanChangeRejection;

/**
 * A larger plan holds at once, when its difference is paid; a smaller one from the next period; Free ends the
 * subscription with the period.
 */
export async function changePlan(
  ctx: BillingContext,
  idpId: string,
  { to, entry }: { to: Tier; entry: UpgradeEntry | null },
): Promise<Change> {
  const live = await readLiveSubscription(ctx, idpId);
  if ('ok' in live) return live;
  const { subscription, tier, customerId } = live;
  if (to === 'free')
    return syncAfterChange(ctx, customerId, await ctx.payments.setCancelAtPeriodEnd(subscription, true));
  if (to === tier) return { ok: false, reason: 'same_plan' };
  const price = await ensurePrice(ctx, to);
  if (!price) return { ok: false, reason: 'not_for_sale' };
  if (!price.ok) return { ok: false, reason: 'unavailable' };
  if (compareTiers(to, tier) < 0)
    return syncAfterChange(ctx, customerId, await ctx.payments.downgrade(subscription, price.value));
  // The provider may have done it before its answer was lost: a second change would be charged again.
  const isAlreadyChanged = subscription.priceId === price.value;
  const upgraded = isAlreadyChanged
    ? { ok: true as const, value: undefined }
    : ctx.payments.upgrade(subscription, price.value, entry);
  const changeResult = await syncAfterChange(ctx, customerId, await upgraded);
  const updatedSubscription = await selectLiveSubscription(ctx.sql, idpId);
  if (updatedSubscription?.tier === to) return { ok: true };
  if (!changeResult.ok || updatedSubscription?.payment_problem !== 'upgrade') return changeResult;
  return { ok: false, reason: 'payment_required', url: updatedSubscription.problem_url };
}

/** Ends the subscription with its period, or takes back what waits: the end, or a smaller plan. */
export async function setCancellation(ctx: BillingContext, idpId: string, isCancelled: boolean): Promise<Change> {
  const live = await readLiveSubscription(ctx, idpId);
  if ('ok' in live) return live;
  return syncAfterChange(ctx, live.customerId, await ctx.payments.setCancelAtPeriodEnd(live.subscription, isCancelled));
}

/** Synchronises what came of it, whether or not the provider took it. */
async function syncAfterChange(ctx: BillingContext, customerId: string, result: PaymentResult<void>): Promise<Change> {
  await syncCustomer(ctx, customerId);
  return result.ok ? { ok: true } : { ok: false, reason: 'unavailable' };
}

/** Ends everything of a customer whose member is gone. Safe to repeat; throws where the provider is away. */
export async function cancelAllSubscriptions(ctx: BillingContext, customerId: string): Promise<void> {
  const throwIfFailed = (result: PaymentResult<unknown>): void => {
    if (!result.ok) throw new Error(`A customer could not be ended: ${result.code}.`);
  };
  throwIfFailed(await ctx.payments.expireAllCheckouts(customerId));
  const state = await ctx.payments.readCustomer(customerId);
  throwIfFailed(state);
  for (const { id, status } of state.ok ? state.value.subscriptions : [])
    if (status !== 'canceled' && status !== 'incomplete_expired')
      throwIfFailed(await ctx.payments.cancelSubscription(id));
  await syncCustomer(ctx, customerId);
}
