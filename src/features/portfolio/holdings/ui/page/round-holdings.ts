import type { HoldingTotals, PortfolioHolding } from '../../contract.ts';
import { getBaseGain } from './calculate-figures.ts';
import type { HoldingGroup } from './group-holdings.ts';
import { type Figures, roundFigures, toFigures, withFigures } from './round-figures.ts';

/** Holding with its amounts in the base currency as they are shown. */
export interface ShownHolding extends PortfolioHolding {
  shown: Figures;
  /** What a row has that stands for all holdings of a security across accounts. */
  position?: {
    /** Ids of the holdings. */
    ids: readonly string[];
    /** Currency of the price. The amounts are in the base currency. */
    priceCurrency: string | null;
    /** Percentage of the portfolio's value. */
    weight: number | null;
    /** Figures that omit a holding of the position, because they are unknown for it. */
    partial: { value: boolean; gain: boolean };
    /** True if a part of the position is connected. */
    isConnected: boolean;
  };
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
