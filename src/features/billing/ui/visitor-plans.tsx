import { useEffect, useState } from 'react';
import type { PlansResponse } from '../contract.ts';
import { formatPrice, tierNames } from './plan-labels.ts';

const TIMEOUT_MS = 15_000;

/** Shows the plans with their limits and prices to visitors. Placeholders of the same size stand until they load. */
export function VisitorPlans() {
  const [plans, setPlans] = useState<Plan[] | 'loading' | 'unavailable'>('loading');
  useEffect(() => {
    const left = new AbortController();
    void readPlans(left.signal).then((read) => {
      if (!left.signal.aborted) setPlans(read);
    });
    return () => left.abort();
  }, []);
  if (plans === 'unavailable')
    return <p className="text-ink-soft">The plans are not available right now. Reload the page to see them.</p>;
  const isLoading = plans === 'loading';
  return (
    <ul aria-label="Plans" aria-busy={isLoading || undefined} className="grid gap-4 sm:grid-cols-3 sm:gap-5">
      {isLoading
        ? PLACEHOLDERS.map((plan) => <Plan key={plan.tier} plan={plan} isPlaceholder />)
        : plans.map((plan) => <Plan key={plan.tier} plan={plan} />)}
    </ul>
  );
}

type Plan = PlansResponse['plans'][number];

/** Plans of the size that the real plans have, so that nothing moves when those arrive. */
const PLACEHOLDERS: readonly Plan[] = (['free', 'pro', 'max'] as const).map((tier) => ({
  tier,
  watchlist_limit: 250,
  price: null,
}));

const Plan = ({ plan, isPlaceholder = false }: { plan: Plan; isPlaceholder?: boolean }) => (
  <li className="card p-5" aria-hidden={isPlaceholder || undefined}>
    <div className={`grid content-start gap-1 ${isPlaceholder ? 'invisible' : ''}`}>
      <h3 className="text-lead font-semibold tracking-tight">{tierNames[plan.tier]}</h3>
      <p className="text-ink-soft">{`${plan.watchlist_limit} tickers on your watchlist`}</p>
      <p className="font-medium">{describePrice(plan)}</p>
    </div>
  </li>
);

function describePrice({ tier, price }: Plan): string {
  if (price) return formatPrice(price);
  return tier === 'free' ? 'No charge' : 'Not for sale here';
}

/** Reads the plans without a credential, since a visitor has none. */
async function readPlans(signal: AbortSignal): Promise<Plan[] | 'unavailable'> {
  try {
    const response = await fetch('/api/plans', {
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) return 'unavailable';
    return ((await response.json()) as PlansResponse).plans;
  } catch {
    return 'unavailable';
  }
}
