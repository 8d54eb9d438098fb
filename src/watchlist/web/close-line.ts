import type { Close } from '../contract.ts';

/**
 * The path of closes through a box, oldest left, highest on top; `inset` keeps the stroke inside. A flat line is in the
 * middle.
 */
export function linePath(closes: readonly Close[], width: number, height: number, inset: number): string {
  const prices = closes.map(([, price]) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const x = (index: number): number => inset + (index / Math.max(1, prices.length - 1)) * (width - 2 * inset);
  const y = (price: number): number =>
    high === low ? height / 2 : inset + ((high - price) / (high - low)) * (height - 2 * inset);
  return prices
    .map((price, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(price).toFixed(1)}`)
    .join('');
}

/** Percent from the first close to the last; null without two. */
export function monthChange(closes: readonly Close[] | null): number | null {
  const [first, last] = [closes?.[0]?.[1], closes?.at(-1)?.[1]];
  return !closes || closes.length < 2 || !first || last === undefined ? null : (last / first - 1) * 100;
}
