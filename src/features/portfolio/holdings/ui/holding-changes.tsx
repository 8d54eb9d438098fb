import { Explained } from '../../explain/ui/explained.tsx';
import type { HoldingTarget } from '../../explain/ui/explained-figure.ts';
import { AmountChange } from '../../../../ui/kit/amount-change.tsx';
import type { Gain, Holding } from '../contract.ts';

interface HoldingFigures extends Pick<Holding, 'value' | 'currency' | 'change_amount' | 'gain'> {
  /** Null for a holding that no catalog lists. */
  asset_type: Holding['asset_type'] | null;
  /** Day change in percent. */
  change_1d: number | null;
}

interface ChangeProps {
  holding: HoldingFigures;
  privacy: boolean;
  /** Makes the figure a button that shows how it came about. */
  explained?: HoldingTarget | undefined;
}

/** Shows the day change of a holding in money and percent. */
export const DayChange = ({ holding, privacy, explained }: ChangeProps) => (
  <Explained figure={explained && { ...explained, figure: 'change', shown: holding.change_amount }}>
    <AmountChange
      amount={holding.change_amount}
      percent={holding.change_1d}
      currency={holding.currency}
      label="day"
      reason={getMissingChangeReason(holding)}
      privacy={privacy}
    />
  </Explained>
);

/** Returns why a holding has no day change. */
export function getMissingChangeReason({
  value,
  asset_type: kind,
}: Pick<HoldingFigures, 'value' | 'asset_type'>): string {
  if (value === null) return 'No price yet';
  if (kind === null) return 'Only the institution’s value is known';
  return kind === 'mutual_fund' || kind === 'bond' ? 'Funds and bonds have no day change' : 'Previous close unknown';
}

interface GainOfHoldingProps {
  holding: Pick<Holding, 'gain' | 'value' | 'currency'>;
  /** Whether the gain omits a part of the holding, whose cost is unknown. */
  isPartial?: boolean;
  privacy: boolean;
  explained?: HoldingTarget | undefined;
}

/** Shows the total gain of a holding in money and percent. */
export const TotalGain = ({
  holding: { gain, value, currency },
  isPartial = false,
  privacy,
  explained,
}: GainOfHoldingProps) => (
  <GainOf
    gain={gain}
    label={isPartial ? 'gain, partly known' : 'gain'}
    currency={currency}
    reason={value === null ? 'No price yet' : 'Cost unknown'}
    privacy={privacy}
    explained={explained}
  />
);

interface GainProps {
  gain: Gain | null;
  /** Name of the figure. */
  label: string;
  currency: string | null;
  reason: string;
  privacy: boolean;
  explained: HoldingTarget | undefined;
}

/** Shows a gain in money and percent, or a dash with the reason. */
export const GainOf = ({ gain, explained, ...more }: GainProps) => (
  <Explained figure={explained && { ...explained, figure: 'gain', shown: gain?.amount }}>
    <AmountChange amount={gain?.amount ?? null} percent={gain?.percent ?? null} {...more} />
  </Explained>
);
