import type { Close } from '../../contract.ts';

/**
 * Returns the SVG path of closes in a box, oldest left, highest on top. `inset` keeps the stroke inside the box. A flat
 * line is vertically centered.
 */
export function toLinePath(closes: readonly Close[], width: number, height: number, inset: number): string {
  const prices = closes.map(([, price]) => price);
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  const x = (index: number): number => inset + (index / Math.max(1, prices.length - 1)) * (width - 2 * inset);
  const y = (price: number): number =>
    high === low ? height / 2 : inset + ((high - price) / (high - low)) * (height - 2 * inset);
  return prices
    .map((price, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(price).toFixed(1)}`)
    .join('');
}

/**
 * Returns the first day of the month that ends on `today`, both as `2026-11-20`. The day is limited to the last day of
 * the previous month.
 */
export function subtractMonth(today: string): string {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month - 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 2, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** Returns the closes from a day on, oldest first, or null if there are fewer than two. */
export function filterClosesSince(closes: readonly Close[] | null, since: string): readonly Close[] | null {
  const first = closes?.findIndex(([date]) => date >= since) ?? -1;
  return closes && first !== -1 && closes.length - first > 1 ? closes.slice(first) : null;
}
