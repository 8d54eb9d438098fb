import { cacheByObject } from '../../../../../ui/kit/cache-by-object.ts';
import type { HoldingTotals, PortfolioHolding, PortfolioHoldings } from '../../contract.ts';
import { calculateTotals, type HoldingAmounts, toDecimalText } from '../../holding-figures.ts';
import { addAmounts, calculatePercent, multiplyAmounts } from '../../../net-worth/amounts.ts';

/** Figures of several holdings in the base currency. */
export interface GroupFigures {
  /** Null if no holding can be converted. */
  totals: HoldingTotals | null;
  /** Amounts whose currency has no rate, one entry per currency. `totals` omits them. */
  unconverted: readonly { currency: string; amount: number }[];
  /** Value before rounding, as decimal text, for shares of it. Null if no holding has a value and a rate. */
  exactValue: string | null;
}

/** Returns the totals of holdings in the base currency, and the amounts whose currency has no rate to it. */
export function calculateFigures(holdings: readonly PortfolioHolding[], base: string): GroupFigures {
  const isUnconverted = (holding: PortfolioHolding): boolean => holding.value !== null && holding.base === null;
  const [totals = null] = calculateTotals(
    holdings
      .filter((holding) => !isUnconverted(holding))
      .map((holding) => [{ currency: base, ...toBaseAmounts(holding) }]),
  );
  const unconverted = calculateTotals(
    holdings
      .filter(isUnconverted)
      .map(({ currency, value }) => [{ currency, value: toDecimalText(value), cost_basis: null, change_amount: null }]),
  );
  return {
    totals,
    unconverted: unconverted.map(({ currency, value }) => ({ currency, amount: value ?? 0 })),
    exactValue: addExactValues(holdings),
  };
}

/** Returns the figures of all holdings of a portfolio. Their value is the investments of net worth, as on Home. */
export function calculatePortfolioFigures({
  holdings,
  currency,
  base,
}: Pick<PortfolioHoldings, 'holdings' | 'currency' | 'base'>): GroupFigures {
  const figures = calculateFigures(holdings, currency);
  const { totals } = figures;
  return totals === null || totals.value === null
    ? figures
    : { ...figures, totals: { ...totals, value: base.investments } };
}

/** Returns the gain in the base currency. Null without a cost or a rate. */
export const getBaseGain = ({ base }: Pick<PortfolioHolding, 'base'>): number | null =>
  base === null || base.cost_basis === null ? null : base.value - base.cost_basis;

/** Returns amounts of the API as decimal text, for exact sums. */
export const toHoldingAmounts = (amounts: Amounts | null): HoldingAmounts => ({
  value: toDecimalText(amounts?.value),
  cost_basis: toDecimalText(amounts?.cost_basis),
  change_amount: toDecimalText(amounts?.change_amount),
});

interface Amounts {
  value: number | null;
  cost_basis: number | null;
  change_amount: number | null;
}

/** Decimals of the rate, which has about sixteen digits. */
const RATE_DECIMALS = 20;

/** Returns the amounts of a holding in the base currency with those before rounding, which percentages need. */
const toBaseAmounts = cacheByObject((holding: PortfolioHolding): HoldingAmounts => {
  const { base } = holding;
  if (base === null) return toHoldingAmounts(null);
  const rate = toDecimalText(base.rate, RATE_DECIMALS)!;
  // On screen, a holding in the base currency has rounded amounts of its own.
  const own = toHoldingAmounts(base.rate === 1 ? base : holding);
  const convert = (amount: string | null): string | null => (amount === null ? null : multiplyAmounts(amount, rate));
  return {
    ...toHoldingAmounts(base),
    exact: {
      value: convert(own.value),
      cost_basis: convert(own.cost_basis),
      change_amount: convert(own.change_amount),
    },
  };
});

function addExactValues(holdings: readonly PortfolioHolding[]): string | null {
  const values = holdings.flatMap((holding) => toBaseAmounts(holding).exact?.value ?? []);
  return values.length === 0 ? null : addAmounts(values);
}

/** Returns the share of a holding in percent of an exact value. Null without a value or a rate. */
export const calculateWeight = (holding: PortfolioHolding, whole: string | null): number | null =>
  calculatePercent(addExactValues([holding]), whole);

/** Returns the share of several holdings in percent of an exact value. Null if none has a value and a rate. */
export const calculateGroupWeight = ({ exactValue }: GroupFigures, whole: string | null): number | null =>
  calculatePercent(exactValue, whole);
