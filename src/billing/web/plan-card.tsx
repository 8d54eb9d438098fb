import { Badge } from '../../web/ui/badge.tsx';
import { Icon } from '../../web/ui/icon.tsx';
import type { PlansResponse } from '../contract.ts';
import { tierNames } from './plan-words.ts';

const everywhere = ['Dashboard, net worth and holdings', 'Charts, reports and news of what you follow', 'Token counting, free, with limits of its own'];

/** One plan: the figure in which they differ, then what all of them have. */
export function PlanCard({ plan: { tier, watchlist_limit: limit }, isCurrent }: { plan: PlansResponse['plans'][number]; isCurrent: boolean }) {
  return (
    <li className={`card grid content-start gap-4 p-5 ${isCurrent ? 'border-accent' : ''}`} aria-current={isCurrent || undefined}>
      <div className="flex min-h-6 items-center justify-between gap-3">
        <h2 className="text-lead font-semibold tracking-tight">{tierNames[tier]}</h2>
        {isCurrent && <Badge tone="accent">Your plan</Badge>}
      </div>
      <p>
        <span className="text-figure font-semibold tracking-tight">{limit}</span> <span className="text-ink-soft">tickers on your watchlist</span>
      </p>
      <ul className="grid gap-2 border-t border-line pt-4 text-small text-ink-soft">
        {everywhere.map((text) => (
          <li key={text} className="flex gap-2">
            <span className="pt-0.5 text-accent">
              <Icon name="check" size={14} />
            </span>
            {text}
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Holds the places of the plans while they travel. */
export function PlanPlaces() {
  return (
    <div role="status" className="grid gap-4 sm:grid-cols-3 sm:gap-5">
      <span className="sr-only">Loading the plans</span>
      {['free', 'pro', 'max'].map((tier) => (
        <span key={tier} aria-hidden="true" className="card grid h-60 content-start gap-4 p-5">
          <span className="skeleton h-5 w-16" />
          <span className="skeleton h-8 w-32" />
        </span>
      ))}
    </div>
  );
}
