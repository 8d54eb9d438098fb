import { type BillingContext, PaymentsAway } from './context.ts';
import { tier as tierShape, type Tier, upgradeEntry, type UpgradeEntry } from './contract.ts';
import { factsOfSync } from './facts.ts';
import { compareTiers, movementsBetween } from './movements.ts';
import type { CustomerState, ProviderSubscription } from './payments/payments.ts';
import {
  advancePayer,
  completeCheckouts,
  insertMovements,
  selectMoved,
  selectPrices,
  selectStoredTiers,
  type SubscriptionToStore,
  takeTicket,
  upsertInvoices,
  upsertReversals,
  upsertSubscriptions,
} from './sync-queries.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';

const LIVE: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);
export const isLive = ({ status }: { status: string }): boolean => LIVE.has(status);

/**
 * Makes our rows what the provider says now. The ticket is taken before the provider is asked and a sync is written
 * only over older ones, so that any number may run at once, in any order, and be killed anywhere. Throws where the
 * provider is away.
 */
export async function syncCustomer(ctx: BillingContext, customerId: string): Promise<void> {
  const state = await syncOnce(ctx, customerId);
  if (await endDuplicates(ctx, state)) await syncOnce(ctx, customerId);
}

async function syncOnce(ctx: BillingContext, customerId: string): Promise<CustomerState> {
  const ticket = await takeTicket(ctx.sql);
  const read = await ctx.payments.readCustomer(customerId);
  if (!read.ok) throw new PaymentsAway(`The customer could not be read: ${read.code}.`);
  await ctx.sql.transaction((sql) => writeState(ctx, sql, customerId, ticket, read.value));
  return read.value;
}

/** Writes what was read, and with it the facts of what it has changed. */
async function writeState(
  { logger, captureIn, declined }: BillingContext,
  sql: ServiceSql,
  customerId: string,
  ticket: string,
  state: CustomerState,
): Promise<void> {
  const payer = await advancePayer(sql, customerId, ticket);
  if (!payer) return;
  const prices = await selectPrices(sql);
  const stored = payer.idp_id === null ? new Map<string, Tier>() : await selectStoredTiers(sql, payer.idp_id);
  const subscriptions = state.subscriptions.flatMap((subscription) => {
    const { id, priceId, metadata, next } = subscription;
    const tier = prices.get(priceId)?.tier ?? stored.get(id) ?? readTier(metadata['tier']);
    if (!prices.has(priceId)) logger.error({ subscription: id, price: priceId, tier }, 'a price is of no known plan');
    return tier === undefined ? [] : toStore(subscription, tier, next ? prices.get(next.priceId) : undefined);
  });
  const checkouts = subscriptions.flatMap(({ metadata }) => metadata['checkout_id'] ?? []);
  const synced = payer.idp_id === null ? [] : await upsertSubscriptions(sql, payer.idp_id, subscriptions);
  const completed = payer.idp_id === null ? [] : await completeCheckouts(sql, payer.idp_id, checkouts);
  const invoices = state.invoices.map((invoice) => ({
    ...invoice,
    tier: prices.get(invoice.priceId ?? '')?.tier ?? null,
    entry: readEntry(invoice.metadata['upgrade_entry_source']),
  }));
  const paid = await upsertInvoices(sql, payer.payer, invoices);
  const refunded = await upsertReversals(sql, payer.payer, state.reversals);
  const movements = movementsBetween(await selectMoved(sql, payer.payer), subscriptions);
  await insertMovements(sql, payer.payer, movements);
  if (payer.idp_id === null) return;
  const facts = factsOfSync(ticket, { movements, subscriptions: synced, completed, paid, refunded });
  await captureIn(sql, payer.idp_id, facts, { declined });
}

function toStore(
  subscription: ProviderSubscription,
  tier: Tier,
  next: { tier: Tier; amount_minor: number } | undefined,
): SubscriptionToStore {
  const { metadata, cancelAt, status } = subscription;
  const goesOn = (status === 'active' || status === 'trialing') && cancelAt === null;
  return {
    ...subscription,
    ...{ tier, entry: readEntry(metadata['upgrade_entry_source']), nextTier: next?.tier ?? null },
    lastEntry: readEntry(metadata['last_upgrade_entry_source']),
    nextAmountMinor: goesOn ? (next?.amount_minor ?? subscription.amountMinor) : null,
  };
}

const readTier = (text: string | undefined): Tier | undefined => tierShape.safeParse(text).data;
const readEntry = (text: string | undefined): UpgradeEntry | null => upgradeEntry.safeParse(text).data ?? null;

/**
 * Where two tabs have both paid, the larger plan stands and the others are given back and ended. The money goes back
 * first: what is still live is found again after a crash. True where something was ended.
 */
async function endDuplicates({ payments, logger, sql }: BillingContext, state: CustomerState): Promise<boolean> {
  const prices = await selectPrices(sql);
  const rank = ({ priceId }: ProviderSubscription): Tier => prices.get(priceId)?.tier ?? 'free';
  const [stands, ...others] = state.subscriptions
    .filter((one) => isLive(one) && one.metadata['checkout_id'] !== undefined)
    .toSorted((a, b) => compareTiers(rank(b), rank(a)) || a.startedAt.getTime() - b.startedAt.getTime());
  for (const { id } of others) {
    logger.warn({ stands: stands!.id, ends: id }, 'a member has paid twice; the smaller plan is given back');
    const paid = state.invoices.filter(({ subscriptionId }) => subscriptionId === id);
    for (const payment of paid.flatMap(({ paymentIds }) => paymentIds)) orThrow(await payments.refund(payment));
    orThrow(await payments.end(id));
  }
  return others.length > 0;
}

function orThrow(result: { ok: true } | { ok: false; code: string }): void {
  if (!result.ok) throw new PaymentsAway(`A duplicate could not be ended: ${result.code}.`);
}
