/** Exact arithmetic on decimal numbers in digits, such as `-1234.50`. Binary fractions would change digits. */

interface Scaled {
  digits: bigint;
  /** Number of decimals in `digits`. */
  scale: number;
}

const parse = (decimal: string): Scaled => {
  const [integerDigits, decimalDigits = ''] = decimal.split('.') as [string, string?];
  return { digits: BigInt(integerDigits + decimalDigits), scale: decimalDigits.length };
};

/** Formats without zeros at the end of the decimals. */
function format({ digits, scale }: Scaled): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const decimals = text.slice(text.length - scale).replace(/0+$/, '');
  const integer = text.slice(0, text.length - scale);
  return `${digits < 0n ? '-' : ''}${integer}${scale === 0 || decimals === '' ? '' : `.${decimals}`}`;
}

const toScale = ({ digits, scale }: Scaled, newScale: number): bigint => digits * 10n ** BigInt(newScale - scale);

export function addDecimals(first: string, second: string): string {
  const a = parse(first);
  const b = parse(second);
  const scale = Math.max(a.scale, b.scale);
  return format({ digits: toScale(a, scale) + toScale(b, scale), scale });
}

export function multiplyDecimals(first: string, second: string): string {
  const a = parse(first);
  const b = parse(second);
  return format({ digits: a.digits * b.digits, scale: a.scale + b.scale });
}

/** Rounds to a number of decimals. A half is rounded away from zero, as PostgreSQL rounds `numeric`. */
export function roundDecimal(decimal: string, decimals: number): string {
  const { digits, scale } = parse(decimal);
  if (scale <= decimals) return format({ digits, scale });
  const divisor = 10n ** BigInt(scale - decimals);
  const half = digits < 0n ? -divisor / 2n : divisor / 2n;
  return format({ digits: (digits + half) / divisor, scale: decimals });
}

/** Returns a negative number, zero or a positive number, for use with `sort`. */
export function compareDecimals(first: string, second: string): number {
  const a = parse(first);
  const b = parse(second);
  const scale = Math.max(a.scale, b.scale);
  const difference = toScale(a, scale) - toScale(b, scale);
  return Number(difference > 0n) - Number(difference < 0n);
}
