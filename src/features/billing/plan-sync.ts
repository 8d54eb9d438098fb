import { type Tier, tier as tierShape, type UpgradeEntry, upgradeEntry } from './contract.ts';
import { compareTiers, computeMovements } from './movements.ts';
import type { CustomerState, ProviderSubscription } from './payments/payments.ts';
import type { InvoiceToStore, RecurringRevenue, Movement, SubscriptionToStore } from './sync-queries.ts';

type Prices = ReadonlyMap<string, { tier: Tier; amount_minor: number }>;

/** State of our tables before a sync. */
interface StoredState {
  prices: Prices;
  /** Tiers of the member's subscriptions by the provider's id. */
  tiers: ReadonlyMap<string, Tier>;
  /** Recurring revenue by currency. */
  revenue: readonly RecurringRevenue[];
}

/** Rows that a sync writes. */
export interface SyncPlan {
  subscriptions: readonly SubscriptionToStore[];
  completedCheckouts: readonly string[];
  invoices: readonly InvoiceToStore[];
  reversals: CustomerState['reversals'];
  movements: readonly Movement[];
  /** Subscriptions whose price belongs to no plan. Subscriptions without a tier are not in `subscriptions`. */
  unknownPrices: readonly { subscription: string; price: string; tier: Tier | undefined }[];
}

/** Derives the rows of a sync from the provider's state and our rows. */
export function planSync(state: CustomerState, stored: StoredState): SyncPlan {
  const subscriptions: SubscriptionToStore[] = [];
  const unknownPrices = [];
  for (const subscription of state.subscriptions) {
    const { id, priceId, metadata } = subscription;
    const price = stored.prices.get(priceId);
    const tier = price?.tier ?? stored.tiers.get(id) ?? tierShape.safeParse(metadata['tier']).data;
    if (!price) unknownPrices.push({ subscription: id, price: priceId, tier });
    if (tier !== undefined) subscriptions.push(toStoredSubscription(subscription, tier, stored.prices));
  }
  return {
    subscriptions,
    completedCheckouts: subscriptions.flatMap(({ metadata }) => metadata['checkout_id'] ?? []),
    invoices: state.invoices.map((invoice) => ({
      ...invoice,
      tier: stored.prices.get(invoice.priceId ?? '')?.tier ?? null,
      entry: parseEntry(invoice.metadata['upgrade_entry_source']),
    })),
    reversals: state.reversals,
    movements: computeMovements(stored.revenue, subscriptions),
    unknownPrices,
  };
}

function toStoredSubscription(subscription: ProviderSubscription, tier: Tier, prices: Prices): SubscriptionToStore {
  const { metadata, cancelAt, status, next: nextPhase } = subscription;
  const next = nextPhase ? prices.get(nextPhase.priceId) : undefined;
  const willRenew = (status === 'active' || status === 'trialing') && cancelAt === null;
  return {
    ...subscription,
    tier,
    entry: parseEntry(metadata['upgrade_entry_source']),
    lastEntry: parseEntry(metadata['last_upgrade_entry_source']),
    nextTier: next?.tier ?? null,
    nextAmountMinor: willRenew ? (next?.amount_minor ?? subscription.amountMinor) : null,
  };
}

const parseEntry = (text: string | undefined): UpgradeEntry | null => upgradeEntry.safeParse(text).data ?? null;

const LIVE: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);
export const isLive = ({ status }: { status: string }): boolean => LIVE.has(status);

/**
 * Returns the subscription to keep (largest plan, then oldest) and the duplicates, if a member paid in two tabs.
 * Subscriptions without a known tier are not in `subscriptions`, so they are never refunded.
 */
export function findDuplicates(subscriptions: readonly SubscriptionToStore[]): {
  retained: SubscriptionToStore | undefined;
  duplicates: SubscriptionToStore[];
} {
  const [retained, ...duplicates] = subscriptions
    .filter((subscription) => isLive(subscription) && subscription.metadata['checkout_id'] !== undefined)
    .toSorted((a, b) => compareTiers(b.tier, a.tier) || a.startedAt.getTime() - b.startedAt.getTime());
  return { retained, duplicates };
}
