import { addAmounts, calculatePercent } from '../net-worth/amounts.ts';

/** Amounts of a holding in the base currency as decimal text. */
export interface IncomeAmounts {
  /** Income of the next twelve months. Null if it pays none. */
  income: string | null;
  value: string | null;
  cost: string | null;
}

export interface Yields {
  yield_on_value: number | null;
  yield_on_cost: number | null;
}

/**
 * Returns the yields of holdings in percent. Holdings that pay nothing count with value and cost. One without a value is
 * left out of both yields, and one without a cost of the second. Null if no holding pays.
 */
export const calculateYields = (holdings: readonly IncomeAmounts[]): Yields => ({
  yield_on_value: calculateYield(
    holdings.filter(({ value }) => value !== null),
    'value',
  ),
  yield_on_cost: calculateYield(
    holdings.filter(({ value, cost }) => value !== null && cost !== null),
    'cost',
  ),
});

function calculateYield(holdings: readonly IncomeAmounts[], base: 'value' | 'cost'): number | null {
  const incomes = holdings.flatMap(({ income }) => income ?? []);
  if (incomes.length === 0) return null;
  return calculatePercent(addAmounts(incomes), addAmounts(holdings.map((holding) => holding[base])));
}
