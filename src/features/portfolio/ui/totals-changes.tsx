import { AmountChange } from '../../../ui/shell/market/amount-change.tsx';
import type { HoldingTotals } from '../contract.ts';
import { GainOf } from './holding-changes.tsx';

interface TotalsProps {
  totals: HoldingTotals;
  privacy: boolean;
}

/** Shows the day change of several holdings in one currency. */
export const TotalDayChange = ({ totals, privacy }: TotalsProps) => (
  <AmountChange
    amount={totals.change_amount}
    percent={totals.change_percent}
    currency={totals.currency}
    label="today"
    reason="No day change known"
    privacy={privacy}
  />
);

/** Shows the total gain of several holdings in one currency. */
export const TotalsGain = ({ totals, privacy }: TotalsProps) => (
  <GainOf gain={totals.gain} currency={totals.currency} reason="Cost unknown" privacy={privacy} />
);

/**
 * Returns a sentence on the holdings that the totals omit, or null. `unlisted` is the number of holdings that no
 * catalog lists.
 */
export function formatOmitted(totals: readonly HoldingTotals[], unlisted = 0): string | null {
  const sum = (name: 'without_cost' | 'without_change' | 'without_price'): number =>
    totals.reduce((count, entry) => count + entry[name], 0);
  const counts = [
    { count: sum('without_cost'), text: 'without cost' },
    { count: sum('without_change'), text: 'without day change' },
    { count: sum('without_price') + unlisted, text: 'without market price' },
  ].filter(({ count }) => count > 0);
  const parts = counts.map(({ count, text }, index) => {
    if (index > 0) return `${count} ${text}`;
    return `${count === 1 ? '1 holding' : `${count} holdings`} ${text}`;
  });
  return parts.length === 0 ? null : `${parts.join(', ')} not included`;
}
