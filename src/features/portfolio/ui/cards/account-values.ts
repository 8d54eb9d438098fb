import type { Account } from '../../contract.ts';

/** Smallest unit of an amount in the API: four decimals. */
const UNITS = 10_000;

/**
 * Returns cash plus holdings of an account in each currency, its own first, and the number of positions without a
 * price, which are not included. A currency of cash alone is left out if it is zero beside others.
 */
export function sumAccountValues({
  currency,
  balance,
  totals = [],
}: Pick<Account, 'currency' | 'balance' | 'totals'>): {
  values: { currency: string; amount: number }[];
  withoutPrice: number;
} {
  const unitsByCurrency = new Map([[currency, Math.round(balance * UNITS)]]);
  for (const { currency: held, value } of totals)
    if (value !== null) unitsByCurrency.set(held, (unitsByCurrency.get(held) ?? 0) + Math.round(value * UNITS));
  const values = [...unitsByCurrency].map(([held, units]) => ({ currency: held, amount: units / UNITS }));
  const nonZeroValues = values.filter(({ amount }) => amount !== 0);
  return {
    values: nonZeroValues.length > 0 ? nonZeroValues : values.slice(0, 1),
    withoutPrice: totals.reduce((count, { without_price: missing }) => count + missing, 0),
  };
}
