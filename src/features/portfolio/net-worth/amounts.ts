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
  const decimals = Math.max(0, ...amounts.map((amount) => amount?.split('.')[1]?.length ?? 0));
  let sum = 0n;
  for (const amount of amounts) {
    if (amount === null) return null;
    const [integerDigits, decimalDigits = ''] = amount.split('.');
    sum += BigInt(integerDigits + decimalDigits.padEnd(decimals, '0'));
  }
  return formatUnits(sum, decimals);
}

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
