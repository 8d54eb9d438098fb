/** Exact arithmetic on decimal strings, such as `-12.50`. */

/** Number that equals `digits` / 10^`decimals`. */
interface Decimal {
  digits: bigint;
  decimals: number;
}

function parse(text: string): Decimal {
  const [integerPart = '', fraction = ''] = text.split('.');
  return { digits: BigInt(integerPart + fraction), decimals: fraction.length };
}

function format({ digits, decimals }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(decimals + 1, '0');
  const integerPart = text.slice(0, text.length - decimals);
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  return fraction ? `${sign}${integerPart}.${fraction}` : `${sign}${integerPart}`;
}

export function multiply(a: string, b: string): string {
  const left = parse(a);
  const right = parse(b);
  return format({ digits: left.digits * right.digits, decimals: left.decimals + right.decimals });
}

export function add(a: string, b: string): string {
  const left = parse(a);
  const right = parse(b);
  const decimals = Math.max(left.decimals, right.decimals);
  const scaleUp = ({ digits, decimals: currentDecimals }: Decimal): bigint =>
    digits * 10n ** BigInt(decimals - currentDecimals);
  return format({ digits: scaleUp(left) + scaleUp(right), decimals });
}
