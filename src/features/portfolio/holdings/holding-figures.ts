import { negate, sumAmounts } from '../net-worth/amounts.ts';
import type { Gain, HoldingTotals } from './contract.ts';

/** Amounts of a holding in its currency, as strings (`numeric`). Null is unknown. */
export interface HoldingAmounts {
  value: string | null;
  /** Total amount paid. */
  cost_basis: string | null;
  change_amount: string | null;
}

interface CurrencyAmounts extends HoldingAmounts {
  currency: string | null;
}

/** Returns the day change of holdings in one currency. Null if it is unknown for one of them, or without a value. */
export function calculateChangeAmount(holdings: readonly HoldingAmounts[]): number | null {
  return sumAmounts(holdings.map(({ value, change_amount: change }) => (value === null ? null : change)));
}

/** Returns value minus cost of holdings in one currency. Null if value or cost is unknown for one of them. */
export function calculateGain(holdings: readonly Pick<HoldingAmounts, 'value' | 'cost_basis'>[]): Gain | null {
  const cost = sumAmounts(holdings.map(({ cost_basis }) => cost_basis));
  const amount = sumAmounts(holdings.flatMap(({ value, cost_basis }) => [value, negate(cost_basis)]));
  return cost === null || amount === null ? null : { amount, percent: calculatePercent(amount, cost) };
}

/**
 * Returns the totals of each currency, largest number of positions first. A position is given as its holdings. One
 * without a price counts only in `without_price`. One without day change or cost is left out of that total.
 */
export function calculateTotals(positions: readonly (readonly CurrencyAmounts[])[]): HoldingTotals[] {
  const positionsByCurrency = Map.groupBy(positions, ([holding]) => holding?.currency ?? null);
  return [...positionsByCurrency]
    .flatMap(([currency, group]) => (currency === null ? [] : [calculateCurrencyTotals(currency, group)]))
    .toSorted(
      (a, b) =>
        positionsByCurrency.get(b.currency)!.length - positionsByCurrency.get(a.currency)!.length ||
        a.currency.localeCompare(b.currency),
    );
}

function calculateCurrencyTotals(currency: string, positions: readonly (readonly CurrencyAmounts[])[]): HoldingTotals {
  const priced = positions.filter((holdings) => holdings.every(({ value }) => value !== null));
  const changed = priced.filter((holdings) => calculateChangeAmount(holdings) !== null);
  const withCost = priced.filter((holdings) => calculateGain(holdings) !== null);
  const changeAmount = changed.length === 0 ? null : calculateChangeAmount(changed.flat());
  return {
    currency,
    value: priced.length === 0 ? null : sumAmounts(priced.flat().map(({ value }) => value)),
    change_amount: changeAmount,
    change_percent: changeAmount === null ? null : calculatePercent(changeAmount, sumPreviousValues(changed.flat())),
    gain: withCost.length === 0 ? null : calculateGain(withCost.flat()),
    without_price: positions.length - priced.length,
    without_change: priced.length - changed.length,
    without_cost: priced.length - withCost.length,
  };
}

/** Returns the value at the previous close. All values and day changes must be known. */
const sumPreviousValues = (holdings: readonly HoldingAmounts[]): number =>
  sumAmounts(holdings.flatMap(({ value, change_amount: change }) => [value, negate(change)])) ?? 0;

/** Returns `amount` as percent of `base`, rounded to four decimals. Null if `base` is zero. */
export function calculatePercent(amount: number, base: number): number | null {
  return base === 0 ? null : Number(((100 * amount) / Math.abs(base)).toFixed(4));
}

/** Returns a number of the API as decimal text, for exact sums. Amounts of money have at most eight decimals. */
export const toDecimalText = (value: number | null | undefined, decimals = 8): string | null =>
  value?.toFixed(decimals) ?? null;
