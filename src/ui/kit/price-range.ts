/** Lowest and highest of some prices. */
export interface PriceRange {
  low: number;
  high: number;
}

/**
 * Returns the range of closes and of the newest prices, such as the current one and those of its day. A close of today is
 * stored only after the session, so closes alone may leave out the current price. Null without closes.
 */
export function computePriceRange(
  closes: readonly (readonly [date: string, close: number])[],
  newest: readonly (number | null)[],
): PriceRange | null {
  if (closes.length === 0) return null;
  const prices = [...closes.map(([, close]) => close), ...newest.filter((price) => price !== null)];
  return { low: Math.min(...prices), high: Math.max(...prices) };
}
