import { Explained } from '../../explain/ui/explained.tsx';
import type { HoldingTarget } from '../../explain/ui/explained-figure.ts';
import { AmountChange } from '../../../../ui/kit/amount-change.tsx';
import type { HoldingTotals } from '../contract.ts';
import { GainOf } from './holding-changes.tsx';

interface TotalsProps {
  totals: HoldingTotals;
  privacy: boolean;
  /** Number of positions in the totals, for the share that a percentage covers. */
  count?: number | undefined;
  /** Name of the day: `today`, or the latest session's date. */
  day?: string | undefined;
  /** Makes the figure a button that shows how it came about. */
  explained?: HoldingTarget;
}

/** Shows the day change of several holdings in one currency. */
export const TotalDayChange = ({ totals, privacy, count, day = 'day', explained }: TotalsProps) => (
  <Explained figure={explained && { ...explained, figure: 'change', shown: totals.change_amount }}>
    <AmountChange
      amount={totals.change_amount}
      percent={totals.change_percent}
      currency={totals.currency}
      label={addCoverage(day, count, totals.without_price + totals.without_change)}
      reason="No day change known"
      privacy={privacy}
    />
  </Explained>
);

/** Shows the total gain of several holdings in one currency. */
export const TotalsGain = ({ totals, privacy, count, explained }: TotalsProps) => (
  <GainOf
    gain={totals.gain}
    label={addCoverage('gain', count, totals.without_price + totals.without_cost)}
    currency={totals.currency}
    reason="Cost unknown"
    privacy={privacy}
    explained={explained}
  />
);

/** Adds how many of the positions have the figure: `today · 7 of 13 holdings`. */
const addCoverage = (label: string, count: number | undefined, missing: number): string =>
  count === undefined || missing === 0 ? label : `${label} · ${count - missing} of ${count} holdings`;

interface OmittedProps {
  totals: readonly HoldingTotals[];
  /** Numbers of the omitted holdings that the totals contain in part. */
  partial?: Partial<Pick<HoldingTotals, OmissionName>>;
  className?: string;
}

type OmissionName = 'without_cost' | 'without_change' | 'without_price';

const omissions = [
  { figure: 'Total', name: 'without_price', reason: 'without price' },
  { figure: 'Gain', name: 'without_cost', reason: 'without cost' },
  { figure: 'Day', name: 'without_change', reason: 'without day change' },
] as const;

/** Shows which holdings the totals omit, at most two sentences per figure. */
export function OmittedHoldings({ totals, partial = {}, className = '' }: OmittedProps) {
  const sum = (name: OmissionName): number => totals.reduce((count, entry) => count + entry[name], 0);
  const sentences = omissions.flatMap(({ figure, name, reason }) => {
    const partialCount = partial[name] ?? 0;
    const count = sum(name) - partialCount;
    return [
      ...(count > 0 ? [`${figure}: ${formatHoldingCount(count)} ${reason} not included.`] : []),
      ...(partialCount > 0 ? [`${figure}: ${formatHoldingCount(partialCount)} partly ${reason}.`] : []),
    ];
  });
  return sentences.map((sentence) => (
    <p key={sentence} className={className}>
      {sentence}
    </p>
  ));
}

/** Returns a number of holdings in words: `1 holding`. */
export const formatHoldingCount = (count: number): string => (count === 1 ? '1 holding' : `${count} holdings`);
