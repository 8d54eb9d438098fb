import { formatFigure, formatMoney } from './formats.ts';
import { madeOnce } from './made-once.ts';

/** What a price is an amount of: a currency, or a bond's face value. */
export interface PriceUnit {
  currency: string | null;
  price_unit: 'currency' | 'percent_of_par';
}

const par = madeOnce(() => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 3 }));
const volume = madeOnce(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 }));

/** A price in the listing's own currency, or a bond's in percent of par: `£12.40`, `98.25% of par`. */
export function formatPrice(value: number, { currency, price_unit: unit }: PriceUnit): string {
  if (unit === 'percent_of_par') return `${par().format(value)}% of par`;
  return currency === null ? formatFigure(value, 4) : formatMoney(value, currency);
}

/** A change of a price with its sign: `+$1.20`, `−£0.04`; zero has none. */
export function formatPriceChange(value: number, unit: PriceUnit): string {
  const amount = formatPrice(Math.abs(value), unit);
  if (!/[1-9]/.test(amount)) return amount;
  return `${value > 0 ? '+' : '\u2212'}${amount}`;
}

/** A number of shares in short: `41.2M`. */
export function formatVolume(shares: number): string {
  return volume().format(shares);
}
