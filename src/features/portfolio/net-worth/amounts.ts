/** Returns the sum as a JSON number, or null if an amount is unknown. */
export function sumAmounts(amounts: readonly (string | null)[]): number | null {
  const sum = addAmounts(amounts);
  return sum === null ? null : Number(sum);
}

/**
 * Returns the sum as decimal text, or null if an amount is unknown. Amounts are added as integers of their last decimal,
 * since floating point would change digits: 0.1 + 0.2 is 0.3 here.
 */
export function addAmounts(amounts: readonly (string | null)[]): string | null {
  const decimals = Math.max(0, ...amounts.map((amount) => (amount === null ? 0 : countDecimals(amount))));
  let sum = 0n;
  for (const amount of amounts) {
    if (amount === null) return null;
    sum += toIntegerOf(amount, decimals);
  }
  return formatUnits(sum, decimals);
}

/** Returns the product of two amounts as decimal text, without rounding. */
export const multiplyAmounts = (amount: string, factor: string): string => {
  const decimals = countDecimals(amount);
  const factorDecimals = countDecimals(factor);
  return formatUnits(toIntegerOf(amount, decimals) * toIntegerOf(factor, factorDecimals), decimals + factorDecimals);
};

/** Decimals of a percentage. A screen shows fewer of them and rounds it, so that it is rounded once. */
const PERCENT_DECIMALS = 12;

/**
 * Returns an amount as percent of another, with more decimals than any screen shows. Null if one is unknown or `whole` is
 * zero. Amounts must not have been rounded: a small one would have lost digits that its percentage shows.
 */
export function calculatePercent(amount: string | null, whole: string | null): number | null {
  if (amount === null || whole === null) return null;
  const decimals = Math.max(countDecimals(amount), countDecimals(whole));
  const divisor = toIntegerOf(whole, decimals);
  if (divisor === 0n) return null;
  const dividend = toIntegerOf(amount, decimals) * 100n * 10n ** BigInt(PERCENT_DECIMALS);
  const size = divisor < 0n ? -divisor : divisor;
  return Number(formatUnits((2n * dividend + (dividend < 0n ? -size : size)) / (2n * size), PERCENT_DECIMALS));
}

function countDecimals(amount: string): number {
  const point = amount.indexOf('.');
  return point === -1 ? 0 : amount.length - point - 1;
}

/** Returns an amount in units of its decimal `decimals`, of which it has no more. */
const toIntegerOf = (amount: string, decimals: number): bigint =>
  BigInt(amount.replace('.', '') + '0'.repeat(decimals - countDecimals(amount)));

/** Returns units of the last decimal as decimal text: -12500n with four decimals is `-1.2500`. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return units < 0n ? `-${text}` : text;
}

export function negate(amount: string): string;
export function negate(amount: string | null): string | null;
export function negate(amount: string | null): string | null {
  if (amount === null) return null;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Converts decimal text to a JSON number. */
export const toNumberOrNull = (amount: string | null): number | null => (amount === null ? null : Number(amount));
