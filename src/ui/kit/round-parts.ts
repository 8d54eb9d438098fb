import { getShownDecimals } from './formats.ts';

/** Most decimals of amounts from the API. */
const STORED_DECIMALS = 8;

interface RoundingOptions {
  decimals: number;
  /** Whether the first amount keeps its own rounding, because other screens show it too. */
  keepsFirst?: boolean;
}

/**
 * Rounds amounts so that the rounded ones add up to the rounded total, by largest remainder: each is rounded by itself,
 * and those that lost most by it take the units that are missing. Amounts that do not add up to the total are only
 * rounded by themselves.
 */
export function roundToSum(
  amounts: readonly number[],
  total: number,
  { decimals, keepsFirst = false }: RoundingOptions,
): number[] {
  const digits = Math.max(STORED_DECIMALS, decimals);
  const unit = 10n ** BigInt(digits - decimals);
  const exact = amounts.map((amount) => toUnits(amount, digits));
  const rounded = exact.map((units) => divideRounded(units, unit));
  const exactTotal = toUnits(total, digits);
  const difference = sum(exact) - exactTotal;
  if (difference < unit && -difference < unit) {
    const missing = divideRounded(exactTotal, unit) - sum(rounded);
    const step = missing < 0n ? -1n : 1n;
    const remainders = exact.map((units, index) => units - rounded[index]! * unit);
    const byRemainder = [...remainders.keys()]
      .filter((index) => !(keepsFirst && index === 0))
      // No amount appears as zero, so one that would become zero keeps its unit.
      .filter((index) => rounded[index]! + step !== 0n)
      .toSorted((a, b) => Number(step * (remainders[b]! - remainders[a]!)));
    for (const index of byRemainder.slice(0, Number(missing * step))) rounded[index]! += step;
  }
  return rounded.map((units) => Number(`${units}e-${decimals}`));
}

/**
 * Rounds amounts of money to the decimals with which their total is shown, so that they add up to it. Unknown amounts
 * stay null. An amount that would be rounded to zero stays as it is, since `formatMoney` shows its digits.
 */
export function roundParts<Amount extends number | null>(
  amounts: readonly Amount[],
  total: number,
  currency: string,
  { keepsFirst = false }: Pick<RoundingOptions, 'keepsFirst'> = {},
): Amount[] {
  const known = amounts.map((amount) => amount ?? 0);
  const rounded = roundToSum(known, total, { decimals: getShownDecimals(total, currency), keepsFirst });
  return amounts.map((amount, index) => (amount === null ? amount : rounded[index] || amount) as Amount);
}

/** Returns the exact sum of amounts from the API. Floating point would change digits: 0.1 + 0.2 is 0.3 here. */
export const addExactly = (amounts: readonly number[]): number =>
  Number(`${sum(amounts.map((amount) => toUnits(amount, STORED_DECIMALS)))}e-${STORED_DECIMALS}`);

/** Returns an amount as an integer of units of its last digit. */
const toUnits = (amount: number, digits: number): bigint => BigInt(amount.toFixed(digits).replace('.', ''));

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** Divides with halves rounded away from zero, as formatters of numbers do. */
const divideRounded = (units: bigint, unit: bigint): bigint => (2n * units + (units < 0n ? -unit : unit)) / (2n * unit);
