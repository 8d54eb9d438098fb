import type { HoldingTotals, PortfolioHolding, PortfolioHoldings } from '../../contract.ts';
import { calculatePercent, calculateTotals, type HoldingAmounts, toDecimalText } from '../../holding-figures.ts';
import { sumAmounts } from '../../../net-worth/amounts.ts';

/** Figures of several holdings in the base currency. */
export interface GroupFigures {
  /** Null if no holding can be converted. */
  totals: HoldingTotals | null;
  /** Amounts whose currency has no rate, one entry per currency. `totals` omits them. */
  unconverted: readonly { currency: string; amount: number }[];
}

/** Returns the totals of holdings in the base currency, and the amounts whose currency has no rate to it. */
export function calculateFigures(holdings: readonly PortfolioHolding[], base: string): GroupFigures {
  const isUnconverted = (holding: PortfolioHolding): boolean => holding.value !== null && holding.base === null;
  const [totals = null] = calculateTotals(
    holdings
      .filter((holding) => !isUnconverted(holding))
      .map((holding) => [{ currency: base, ...toHoldingAmounts(holding.base) }]),
  );
  const unconverted = calculateTotals(
    holdings
      .filter(isUnconverted)
      .map(({ currency, value }) => [{ currency, value: toDecimalText(value), cost_basis: null, change_amount: null }]),
  );
  return {
    totals,
    unconverted: unconverted.map(({ currency, value }) => ({ currency, amount: value ?? 0 })),
  };
}

/** Returns the figures of all holdings of a portfolio. Their value is the investments of net worth, as on Home. */
export function calculatePortfolioFigures({
  holdings,
  currency,
  base,
}: Pick<PortfolioHoldings, 'holdings' | 'currency' | 'base'>): GroupFigures {
  const { totals, unconverted } = calculateFigures(holdings, currency);
  return totals === null || totals.value === null
    ? { totals, unconverted }
    : { totals: { ...totals, value: base.investments }, unconverted };
}

/** Returns the gain in the base currency. Null without a cost or a rate. */
export const getBaseGain = ({ base }: Pick<PortfolioHolding, 'base'>): number | null =>
  base === null || base.cost_basis === null ? null : base.value - base.cost_basis;

/** Returns amounts of the API as decimal text, for exact sums. */
export const toHoldingAmounts = (
  amounts: { value: number | null; cost_basis: number | null; change_amount: number | null } | null,
): HoldingAmounts => ({
  value: toDecimalText(amounts?.value),
  cost_basis: toDecimalText(amounts?.cost_basis),
  change_amount: toDecimalText(amounts?.change_amount),
});

/** Returns the share of the portfolio's value in percent. Null without a value or a rate. */
export const calculateWeight = (value: number | null | undefined, total: number | null | undefined): number | null =>
  typeof value === 'number' && typeof total === 'number' ? calculatePercent(value, total) : null;

/** Returns the share of several holdings in percent, of their exact value. Null if none has a value and a rate. */
export function calculateGroupWeight(holdings: readonly PortfolioHolding[], total: number | null): number | null {
  const values = holdings.flatMap(({ base }) => toDecimalText(base?.value) ?? []);
  return values.length === 0 ? null : calculateWeight(sumAmounts(values), total);
}
