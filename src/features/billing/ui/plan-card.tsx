import type { ReactNode } from 'react';
import { Badge } from '../../../ui/kit/badge.tsx';
import { Icon } from '../../../ui/kit/icon.tsx';
import type { PlansResponse } from '../contract.ts';
import { formatPrice, tierNames } from './plan-labels.ts';

/** Shows one plan with the limit that distinguishes it. */
export function PlanCard({
  plan: { tier, watchlist_limit: limit, price },
  isCurrent,
  children,
}: {
  plan: PlansResponse['plans'][number];
  isCurrent: boolean;
  /** Actions of the plan. */
  children?: ReactNode;
}) {
  return (
    <li
      className={`card grid content-start gap-4 p-5 ${isCurrent ? 'border-accent' : ''}`}
      aria-current={isCurrent || undefined}
      tabIndex={-1}
    >
      <div className="flex min-h-6 items-center justify-between gap-3">
        <h2 className="text-lead font-semibold tracking-tight">{tierNames[tier]}</h2>
        {isCurrent && <Badge tone="accent">Your plan</Badge>}
      </div>
      <p>
        <span className="block text-figure font-semibold tracking-tight">{limit}</span>{' '}
        <span className="text-ink-soft">tickers on your watchlist</span>
      </p>
      {(price ?? tier === 'free') && <p className="font-medium">{price ? formatPrice(price) : 'No charge'}</p>}
      {children}
    </li>
  );
}

const INCLUDED_FEATURES = [
  'Home, net worth and holdings',
  'Charts, earnings and news for your tickers',
  'Free token counting, with its own limits',
];

/** Lists the features that all plans share. */
export function InEveryPlan() {
  return (
    <section aria-labelledby="in-every-plan" className="grid gap-3">
      <h2 id="in-every-plan" className="font-semibold">
        In every plan
      </h2>
      <ul className="grid gap-x-5 gap-y-2 text-ink-soft sm:grid-cols-3">
        {INCLUDED_FEATURES.map((text) => (
          <li key={text} className="flex gap-2">
            <span className="pt-1 text-accent">
              <Icon name="check" size={14} />
            </span>
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows placeholders while the plans load. */
export function PlanSkeletons() {
  return (
    <div role="status" className="grid gap-4 sm:grid-cols-3 sm:gap-5">
      <span className="sr-only">Loading the plans</span>
      {['free', 'pro', 'max'].map((tier) => (
        <span key={tier} aria-hidden="true" className="card grid h-56 content-start gap-4 p-5">
          <span className="skeleton h-5 w-16" />
          <span className="skeleton h-8 w-32" />
        </span>
      ))}
    </div>
  );
}
