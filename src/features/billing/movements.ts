import type { Tier } from './contract.ts';
import type { Moved, Movement, SubscriptionToStore } from './sync-queries.ts';

const RANK: Readonly<Record<Tier, number>> = { free: 0, pro: 1, max: 2 };

/** Which of two plans is the larger: below zero where it is the second. */
export const compareTiers = (a: Tier, b: Tier): number => RANK[a] - RANK[b];

/** What a live subscription brings. */
type Recurring = Pick<SubscriptionToStore, 'status' | 'tier' | 'amountMinor' | 'currency' | 'interval' | 'entry'>;

/** Plan price a month without trials; a year's is divided by twelve. */
const monthly = ({ amountMinor, interval }: Recurring): number =>
  interval === 'year' ? Math.round(amountMinor / 12) : amountMinor;

/** How recurring revenue moved from what was noted to what is live now, at most one movement a currency. */
export function movementsBetween(before: readonly Moved[], subscriptions: readonly Recurring[]): Movement[] {
  const live = subscriptions
    .filter(({ status }) => status === 'active' || status === 'past_due')
    .toSorted((a, b) => compareTiers(b.tier, a.tier));
  const currencies = new Set([...before, ...live].map(({ currency }) => currency));
  return [...currencies].flatMap((currency) => {
    const was = before.find((one) => one.currency === currency);
    const those = live.filter((one) => one.currency === currency);
    const now = those.reduce((sum, one) => sum + monthly(one), 0);
    const change = now - (was?.mrr_minor ?? 0);
    if (change === 0) return [];
    return {
      kind: kindOf(was, now),
      currency,
      mrr_minor: change,
      from_tier: was?.to_tier ?? 'free',
      to_tier: those[0]?.tier ?? 'free',
      entry_source: (those[0] ?? { entry: was?.entry_source ?? null }).entry,
    };
  });
}

function kindOf(was: Moved | undefined, now: number): Movement['kind'] {
  if (!was) return 'new';
  if (was.mrr_minor === 0) return 'reactivation';
  if (now === 0) return 'churn';
  return now > was.mrr_minor ? 'expansion' : 'contraction';
}
