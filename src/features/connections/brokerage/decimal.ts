/** Exact arithmetic on amounts in decimal digits, such as `-12.50`. */

interface Scaled {
  digits: bigint;
  decimals: number;
}

function parse(text: string): Scaled {
  const [whole = '', part = ''] = text.split('.');
  return { digits: BigInt(whole + part), decimals: part.length };
}

function print({ digits, decimals }: Scaled): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(decimals + 1, '0');
  const [whole, part] = [text.slice(0, text.length - decimals), text.slice(text.length - decimals).replace(/0+$/, '')];
  return part ? `${sign}${whole}.${part}` : `${sign}${whole}`;
}

export function multiply(a: string, b: string): string {
  const [one, other] = [parse(a), parse(b)];
  return print({ digits: one.digits * other.digits, decimals: one.decimals + other.decimals });
}

export function add(a: string, b: string): string {
  const [one, other] = [parse(a), parse(b)];
  const decimals = Math.max(one.decimals, other.decimals);
  const scaled = ({ digits, decimals: own }: Scaled): bigint => digits * 10n ** BigInt(decimals - own);
  return print({ digits: scaled(one) + scaled(other), decimals });
}
