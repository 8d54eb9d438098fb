/** Amounts as integers of their twentieth decimal, which the walk computes with instead of the product's arithmetic. */
export type Amount = bigint;

const DECIMALS = 20;
const ONE = 10n ** BigInt(DECIMALS);

/** Parses decimal text or a number: `12.5`, `1e-7`, `−3`. */
export function toAmount(value: string | number): Amount {
  const [mantissa = '', exponent = '0'] = String(value).replace('−', '-').toLowerCase().split('e');
  const [integer = '', decimals = ''] = mantissa.split('.');
  const shift = DECIMALS - decimals.length + Number(exponent);
  const digits = BigInt(integer + decimals);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

/** Returns the nearest number. */
export const toNumber = (amount: Amount): number => Number(`${amount}e-${DECIMALS}`);

export const multiply = (a: Amount, b: Amount): Amount => divideRounded(a * b, ONE);

/** Divides two amounts. */
export const divide = (a: Amount, b: Amount): Amount => divideRounded(a * ONE, b);

export const sum = (amounts: readonly Amount[]): Amount => amounts.reduce((total, amount) => total + amount, 0n);

export const absolute = (amount: Amount): Amount => (amount < 0n ? -amount : amount);

/** Rounds to decimals, halves away from zero. */
export const round = (amount: Amount, decimals: number): Amount => {
  const unit = getUnit(decimals);
  return divideRounded(amount, unit) * unit;
};

/** Returns one unit of the last of some decimals: 0.01 for two. */
export const getUnit = (decimals: number): Amount => 10n ** BigInt(DECIMALS - decimals);

function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n !== divisor < 0n ? -divisor : divisor;
  return (2n * dividend + half) / (2n * divisor);
}
