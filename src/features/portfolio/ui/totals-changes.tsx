import { Explained } from '../../../ui/shell/explain/explained.tsx';
import type { HoldingTarget } from '../../../ui/shell/explain/explained-figure.ts';
import { AmountChange } from '../../../ui/shell/market/amount-change.tsx';
import type { HoldingTotals } from '../contract.ts';
import { GainOf } from './holding-changes.tsx';

interface TotalsProps {
  totals: HoldingTotals;
  privacy: boolean;
  /** Makes the figure a button that shows how it came about. */
  explained?: HoldingTarget;
}

/** Shows the day change of several holdings in one currency. */
export const TotalDayChange = ({ totals, privacy, explained }: TotalsProps) => (
  <Explained figure={explained && { ...explained, figure: 'change' }}>
    <AmountChange
      amount={totals.change_amount}
      percent={totals.change_percent}
      currency={totals.currency}
      label="day"
      reason="No day change known"
      privacy={privacy}
    />
  </Explained>
);

/** Shows the total gain of several holdings in one currency. */
export const TotalsGain = ({ totals, privacy, explained }: TotalsProps) => (
  <GainOf gain={totals.gain} currency={totals.currency} reason="Cost unknown" privacy={privacy} explained={explained} />
);

interface OmittedProps {
  totals: readonly HoldingTotals[];
  /** Number of holdings that no catalog lists. They load last, so their sentence is the first, where it moves nothing. */
  unlisted?: number;
  className?: string;
}

/** Shows which holdings the totals omit, one sentence per figure. */
export function OmittedHoldings({ totals, unlisted = 0, className = '' }: OmittedProps) {
  const sum = (name: 'without_cost' | 'without_change' | 'without_price'): number =>
    totals.reduce((count, entry) => count + entry[name], 0);
  const omissions = [
    { figure: 'Total', count: sum('without_price') + unlisted, reason: 'without market price' },
    { figure: 'Gain', count: sum('without_cost'), reason: 'without cost' },
    { figure: 'Day', count: sum('without_change'), reason: 'without day change' },
  ];
  return omissions.map(
    ({ figure, count, reason }) =>
      count > 0 && (
        <p
          key={figure}
          className={className}
        >{`${figure}: ${count === 1 ? '1 holding' : `${count} holdings`} ${reason} not included.`}</p>
      ),
  );
}
