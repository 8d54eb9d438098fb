import { roundParts } from '../../../../../ui/kit/round-parts.ts';
import type { HoldingFigure } from '../../../../../ui/shell/explain/explained-figure.ts';
import type { HoldingTotals, PortfolioHolding } from '../../contract.ts';
import { getBaseGain } from './calculate-figures.ts';
import type { HoldingGroup } from './group-holdings.ts';

type Figures = Readonly<Record<HoldingFigure, number | null>>;

/** Holding with its amounts in the base currency as they are shown. */
export interface ShownHolding extends PortfolioHolding {
  shown: Figures;
}

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

/**
 * Rounds the totals of groups so that they add up to those of all groups, and the amounts of each group's holdings so that
 * they add up to the group's totals.
 */
export function roundGroups(
  groups: readonly HoldingGroup[],
  allTotals: HoldingTotals | null,
  base: string,
): HoldingGroup<ShownHolding>[] {
  const rounded = roundFigures(
    groups.map(({ totals }) => toFigures(totals)),
    toFigures(allTotals),
    base,
  );
  return groups.map((group, index) => {
    const totals = group.totals && withFigures(group.totals, rounded[index]!);
    return { ...group, totals, holdings: roundHoldings(group.holdings, totals, base) };
  });
}

/** Rounds the amounts of holdings in the base currency so that they add up to totals. */
export function roundHoldings(
  holdings: readonly PortfolioHolding[],
  totals: HoldingTotals | null,
  base: string,
): ShownHolding[] {
  const rounded = roundFigures(holdings.map(getBaseFigures), toFigures(totals), base);
  return holdings.map((holding, index) => {
    const shown = rounded[index]!;
    // A row in the base currency shows each amount once, so its own amounts are the rounded ones.
    const isInBase = holding.currency === base && holding.value !== null;
    return { ...(isInBase ? withFigures(holding, shown) : holding), shown };
  });
}

const getBaseFigures = (holding: PortfolioHolding): Figures => ({
  value: holding.base?.value ?? null,
  change: holding.base?.change_amount ?? null,
  gain: getBaseGain(holding),
});
