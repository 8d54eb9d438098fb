import { roundParts } from '../../../../../ui/kit/round-parts.ts';
import type { HoldingFigure } from '../../../explain/ui/explained-figure.ts';
import type { HoldingTotals } from '../../contract.ts';

/** Value, day change and gain of a holding or a group. */
export type Figures = Readonly<Record<HoldingFigure, number | null>>;

type Amounts = Pick<HoldingTotals, 'value' | 'change_amount' | 'gain'>;

export const toFigures = (amounts: Amounts | null): Figures => ({
  value: amounts?.value ?? null,
  change: amounts?.change_amount ?? null,
  gain: amounts?.gain?.amount ?? null,
});

/** Returns amounts with rounded figures in place of their own. */
export const withFigures = <T extends Amounts>(amounts: T, { value, change, gain }: Figures): T => ({
  ...amounts,
  value,
  change_amount: change,
  gain: amounts.gain && { ...amounts.gain, amount: gain ?? amounts.gain.amount },
});

/** Rounds figures so that each adds up to its total. One without a total is not rounded. */
export function roundFigures(parts: readonly Figures[], totals: Figures, currency: string): Figures[] {
  const round = (figure: HoldingFigure): readonly (number | null)[] => {
    const amounts = parts.map((part) => part[figure]);
    const total = totals[figure];
    return total === null ? amounts : roundParts(amounts, total, currency);
  };
  const values = round('value');
  const changes = round('change');
  const gains = round('gain');
  return parts.map((_, index) => ({
    value: values[index] ?? null,
    change: changes[index] ?? null,
    gain: gains[index] ?? null,
  }));
}
