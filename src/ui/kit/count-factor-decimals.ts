const MAX_DECIMALS = 16;

interface DecimalLimits {
  /** Decimals of the products. */
  decimals: number;
  /** Fewest decimals of the factor. */
  min: number;
}

/**
 * Returns the smallest number of decimals of a factor with which its products are those of all its digits. Products are
 * rounded as on screen: 7.7653 × 200 is 1,553.06, so 7.77 is too short.
 * @param multipliers What the factor is multiplied by on screen.
 */
export function countFactorDecimals(
  factor: number,
  multipliers: readonly number[],
  { decimals, min }: DecimalLimits,
): number {
  const hasSameProducts = (shown: number): boolean =>
    multipliers.every(
      (multiplier) => roundToUnits(multiplier * shown, decimals) === roundToUnits(multiplier * factor, decimals),
    );
  let count = min;
  while (count < MAX_DECIMALS && !hasSameProducts(roundAsShown(factor, count))) count += 1;
  return count;
}

/** Rounds a number as its text on screen. `toFixed` rounds 46.4785 down, whose nearest binary number is below it. */
const roundAsShown = (number: number, decimals: number): number =>
  Number(number.toLocaleString('en-US', { maximumFractionDigits: decimals, useGrouping: false }));

/** Rounds an amount to units of its last decimal, without its sign. With 15 digits a half is rounded as the exact one. */
const roundToUnits = (amount: number, decimals: number): number =>
  Math.round(Number((Math.abs(amount) * 10 ** decimals).toPrecision(15)));
