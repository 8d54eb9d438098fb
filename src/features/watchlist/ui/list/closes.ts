import type { Close } from '../../contract.ts';

/**
 * The path of closes through a box, oldest left, highest on top; `inset` keeps the stroke inside. A flat line is in the
 * middle.
 */
export function toLinePath(closes: readonly Close[], width: number, height: number, inset: number): string {
  const prices = closes.map(([, price]) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const x = (index: number): number => inset + (index / Math.max(1, prices.length - 1)) * (width - 2 * inset);
  const y = (price: number): number =>
    high === low ? height / 2 : inset + ((high - price) / (high - low)) * (height - 2 * inset);
  return prices
    .map((price, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(price).toFixed(1)}`)
    .join('');
}

/**
 * The first day of the month that ends on `today`, both as `2026-11-20`: the same day of the month before, or that
 * month's last one.
 */
export function subtractMonth(today: string): string {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month - 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 2, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** The closes from a day on, oldest first; null where they are fewer than the two that a line needs. */
export function filterClosesSince(closes: readonly Close[] | null, since: string): readonly Close[] | null {
  const first = closes?.findIndex(([date]) => date >= since) ?? -1;
  return closes && first !== -1 && closes.length - first > 1 ? closes.slice(first) : null;
}

/** Percent from the first close to the last; null without two. */
export function computeChangePercent(closes: readonly Close[] | null): number | null {
  const [first, last] = [closes?.[0]?.[1], closes?.at(-1)?.[1]];
  return !closes || closes.length < 2 || !first || last === undefined ? null : (last / first - 1) * 100;
}
