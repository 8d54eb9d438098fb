import type { ServiceSql } from '../../platform/database/roles.ts';
import { type BillingContext, PaymentProviderUnavailable } from './context.ts';
import type { Tier } from './contract.ts';
import { toDomainEvents } from './domain-events.ts';
import { findDuplicates, planSync, type SyncPlan } from './plan-sync.ts';
import {
  claimPayerForSync,
  completeCheckouts,
  insertMovements,
  nextSyncVersion,
  selectRecurringRevenue,
  selectPrices,
  selectStoredTiers,
  upsertInvoices,
  upsertReversals,
  upsertSubscriptions,
} from './sync-queries.ts';

/**
 * Copies a customer's state from the provider into our tables: read → plan → apply, then refund duplicates. The sync's
 * version is a fencing token that is taken before the read. Syncs may therefore run concurrently, in any order, and be
 * interrupted. Throws if the provider is unavailable.
 */
export async function syncCustomer(context: BillingContext, customerId: string): Promise<void> {
  const plan = await syncOnce(context, customerId);
  if (plan && (await refundDuplicateSubscriptions(context, plan))) await syncOnce(context, customerId);
}

/** Returns the written plan, or `undefined` if a later sync was written before or the customer is unknown. */
async function syncOnce(context: BillingContext, customerId: string): Promise<SyncPlan | undefined> {
  const syncVersion = await nextSyncVersion(context.sql);
  const read = await context.payments.readCustomer(customerId);
  if (!read.ok) throw new PaymentProviderUnavailable(`Failed to read the customer: ${read.code}.`);
  return context.sql.transaction(async (sql) => {
    const claimedPayer = await claimPayerForSync(sql, customerId, syncVersion);
    if (!claimedPayer) return undefined;
    const { payer, idp_id: idpId } = claimedPayer;
    const plan = planSync(read.value, {
      prices: await selectPrices(sql),
      tiers: idpId === null ? new Map<string, Tier>() : await selectStoredTiers(sql, idpId),
      revenue: await selectRecurringRevenue(sql, payer),
    });
    for (const unknown of plan.unknownPrices)
      context.logger.error(unknown, 'price id belongs to no plan; kept the stored tier');
    // A deleted member has neither subscriptions nor events, but payments still count as revenue.
    if (idpId === null) await applyRevenue(sql, payer, plan);
    else await applySync(context, sql, { payer, idpId, syncVersion, plan });
    return plan;
  });
}

/** Writes a member's subscriptions, checkouts and revenue with the events of the changes. */
async function applySync(
  { captureInTransaction, hasDeclinedAnalytics }: BillingContext,
  sql: ServiceSql,
  { payer, idpId, syncVersion, plan }: { payer: string; idpId: string; syncVersion: string; plan: SyncPlan },
): Promise<void> {
  const subscriptions = await upsertSubscriptions(sql, idpId, plan.subscriptions);
  const completed = await completeCheckouts(sql, idpId, plan.completedCheckouts);
  const { paid, refunded } = await applyRevenue(sql, payer, plan);
  const events = toDomainEvents(syncVersion, { movements: plan.movements, subscriptions, completed, paid, refunded });
  await captureInTransaction(sql, idpId, events, { declined: hasDeclinedAnalytics });
}

async function applyRevenue(sql: ServiceSql, payer: string, plan: SyncPlan) {
  const paid = await upsertInvoices(sql, payer, plan.invoices);
  const refunded = await upsertReversals(sql, payer, plan.reversals);
  await insertMovements(sql, payer, plan.movements);
  return { paid, refunded };
}

/**
 * Refunds and cancels the duplicates of a subscription that was paid twice. The refund comes first: after a crash the
 * next sync finds the live subscription again. Returns true if a subscription was canceled.
 */
async function refundDuplicateSubscriptions(
  { payments, logger }: BillingContext,
  { subscriptions, invoices }: SyncPlan,
): Promise<boolean> {
  const { retained, duplicates } = findDuplicates(subscriptions);
  for (const { id } of duplicates) {
    logger.warn({ retained: retained!.id, cancelled: id }, 'member paid twice; refunding the smaller plan');
    const paid = invoices.filter(({ subscriptionId }) => subscriptionId === id);
    for (const payment of paid.flatMap(({ paymentIds }) => paymentIds)) throwIfFailed(await payments.refund(payment));
    throwIfFailed(await payments.cancelSubscription(id));
  }
  return duplicates.length > 0;
}

function throwIfFailed(result: { ok: true } | { ok: false; code: string }): void {
  if (!result.ok) throw new PaymentProviderUnavailable(`Failed to refund or cancel a duplicate: ${result.code}.`);
}
