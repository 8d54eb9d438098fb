import {
  getSmallAmountDecimals,
  formatCompactNumber,
  formatExact,
  formatFigure,
  formatMoney,
  formatPercent,
  getMoneyDecimals,
} from './formats.ts';
import { countFactorDecimals } from './count-factor-decimals.ts';

/** Unit of a price: a currency, or a bond's face value. */
export interface PriceUnit {
  currency: string | null;
  price_unit: 'currency' | 'percent_of_par';
  /** Price next to the change, which sets the number of decimals. */
  price?: number | null;
}

/** Formats a price in the listing's currency, or a bond's price in percent of par: `£12.40`, `98.25% of par`. */
export function formatPrice(value: number, unit: PriceUnit): string {
  return formatWith(getSmallAmountDecimals(value), value, unit);
}

/**
 * Formats a price beside what it is multiplied by, such as a quantity. It has as many digits as give the products, so that
 * `200 × £7.7653` stands beside £1,553.06.
 */
export function formatPriceOf(value: number, unit: PriceUnit, multipliers: readonly number[]): string {
  const isPercent = unit.price_unit === 'percent_of_par';
  const decimals = countFactorDecimals(
    value,
    isPercent ? multipliers.map((multiplier) => multiplier / 100) : multipliers,
    { decimals: getMoneyDecimals(unit.currency ?? ''), min: getPriceDecimals(value, unit) },
  );
  if (decimals === getPriceDecimals(value, unit)) return formatPrice(value, unit);
  if (isPercent) return `${formatPercent(value, decimals)} of par`;
  return formatWith(decimals, value, unit);
}

/** Returns the number of decimals of a price that stands alone. */
function getPriceDecimals(value: number, { currency, price_unit: unit }: PriceUnit): number {
  if (unit === 'percent_of_par') return 3;
  return getSmallAmountDecimals(value) ?? (currency === null ? 4 : getMoneyDecimals(currency));
}

function formatWith(decimals: number | undefined, value: number, { currency, price_unit: unit }: PriceUnit): string {
  if (unit === 'percent_of_par') return `${formatPercent(value, 3)} of par`;
  return currency === null ? formatFigure(value, decimals ?? 4) : formatMoney(value, currency, decimals);
}

/** Formats a change of a price with its sign and the price's decimals: `+$1.20`, `−£0.04`. Zero has no sign. */
export function formatPriceChange(value: number, unit: PriceUnit): string {
  const decimals = getSmallAmountDecimals(unit.price ?? 1);
  const roundsToZero = decimals === undefined && Math.abs(value) < 0.005;
  const amount = formatWith(decimals, roundsToZero ? 0 : Math.abs(value), unit);
  if (!/[1-9]/.test(amount)) return amount;
  return `${value > 0 ? '+' : '\u2212'}${amount}`;
}

/** Formats an amount of money, or one without currency as a number with two decimals. */
export function formatAmount(amount: number, currency: string | null): string {
  return currency === null ? formatFigure(amount, 2) : formatMoney(amount, currency);
}

/** Formats an amount with its sign: `+$12.00`, `−$0.0004`. Zero has no sign. */
export function formatSignedAmount(amount: number, currency: string | null): string {
  const text = formatAmount(Math.abs(amount), currency);
  if (amount === 0) return text;
  return `${amount > 0 ? '+' : '\u2212'}${text}`;
}

/** Formats shares or face value with every stored digit: `120.348`, `0.0000001234`. */
export function formatQuantity(quantity: number): string {
  return formatExact(quantity);
}

/** Formats a number of shares in short form: `41.2M`. */
export function formatVolume(shares: number): string {
  return formatCompactNumber(shares);
}
