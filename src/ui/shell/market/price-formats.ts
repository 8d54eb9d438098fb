import { getSmallAmountDecimals, formatFigure, formatMoney } from '../../kit/formats.ts';
import { makeOnce } from '../../kit/make-once.ts';

/** What a price is an amount of: a currency, or a bond's face value. */
export interface PriceUnit {
  currency: string | null;
  price_unit: 'currency' | 'percent_of_par';
  /** The price that a change is told beside, which has as many decimals. */
  price?: number | null;
}

const getParFormat = makeOnce(
  () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 3 }),
);
const getVolumeFormat = makeOnce(
  () => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 }),
);

/** A price in the listing's own currency, or a bond's in percent of par: `£12.40`, `98.25% of par`. */
export function formatPrice(value: number, unit: PriceUnit): string {
  return formatWith(getSmallAmountDecimals(value), value, unit);
}

function formatWith(decimals: number | undefined, value: number, { currency, price_unit: unit }: PriceUnit): string {
  if (unit === 'percent_of_par') return `${getParFormat().format(value)}% of par`;
  return currency === null ? formatFigure(value, decimals ?? 4) : formatMoney(value, currency, decimals);
}

/** A change of a price with its sign and the price's decimals: `+$1.20`, `−£0.04`; zero has none. */
export function formatPriceChange(value: number, unit: PriceUnit): string {
  const decimals = getSmallAmountDecimals(unit.price ?? 1);
  const roundsToZero = decimals === undefined && Math.abs(value) < 0.005;
  const amount = formatWith(decimals, roundsToZero ? 0 : Math.abs(value), unit);
  if (!/[1-9]/.test(amount)) return amount;
  return `${value > 0 ? '+' : '\u2212'}${amount}`;
}

const getQuantityFormat = makeOnce(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 }));

/** Shares or face value as they are owned, with every digit that is stored: `120.348`, `0.0000001234`. */
export function formatQuantity(quantity: number): string {
  return getQuantityFormat().format(quantity).replace('-', '\u2212');
}

/** A number of shares in short: `41.2M`. */
export function formatVolume(shares: number): string {
  return getVolumeFormat().format(shares);
}
