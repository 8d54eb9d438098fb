import type { Tier } from './contract.ts';
import type { RecurringRevenue, Movement, SubscriptionToStore } from './sync-queries.ts';

const RANK: Readonly<Record<Tier, number>> = { free: 0, pro: 1, max: 2 };

/** Compares two plans. Returns a negative number if the second is larger. */
export const compareTiers = (a: Tier, b: Tier): number => RANK[a] - RANK[b];

/** Recurring part of a live subscription. */
type Recurring = Pick<SubscriptionToStore, 'status' | 'tier' | 'amountMinor' | 'currency' | 'interval' | 'entry'>;

/** Returns the plan price a month, without trials. A yearly price is divided by twelve. */
const toMonthlyAmount = ({ amountMinor, interval }: Recurring): number =>
  interval === 'year' ? Math.round(amountMinor / 12) : amountMinor;

/** Returns the changes of recurring revenue since the stored state, at most one a currency. */
export function computeMovements(before: readonly RecurringRevenue[], subscriptions: readonly Recurring[]): Movement[] {
  const live = subscriptions
    .filter(({ status }) => status === 'active' || status === 'past_due')
    .toSorted((a, b) => compareTiers(b.tier, a.tier));
  const currencies = new Set([...before, ...live].map(({ currency }) => currency));
  return [...currencies].flatMap((currency) => {
    const previous = before.find((revenue) => revenue.currency === currency);
    const subscriptionsInCurrency = live.filter((subscription) => subscription.currency === currency);
    const mrrMinor = subscriptionsInCurrency.reduce((sum, subscription) => sum + toMonthlyAmount(subscription), 0);
    const [largest] = subscriptionsInCurrency;
    const changeMinor = mrrMinor - (previous?.mrr_minor ?? 0);
    if (changeMinor === 0) return [];
    return {
      kind: classifyMovement(previous, mrrMinor),
      currency,
      mrr_minor: changeMinor,
      from_tier: previous?.to_tier ?? 'free',
      to_tier: largest?.tier ?? 'free',
      entry_source: largest ? largest.entry : (previous?.entry_source ?? null),
    };
  });
}

function classifyMovement(previous: RecurringRevenue | undefined, mrrMinor: number): Movement['kind'] {
  if (!previous) return 'new';
  if (previous.mrr_minor === 0) return 'reactivation';
  if (mrrMinor === 0) return 'churn';
  return mrrMinor > previous.mrr_minor ? 'expansion' : 'contraction';
}
