/** Lowest and highest of some prices. */
export interface PriceRange {
  low: number;
  high: number;
}

/**
 * Returns the range of stored prices and of the newest ones, such as the current price and those of its day. A close is
 * stored only after the session, so stored prices alone may leave out the current one. Null without stored prices.
 */
export function computePriceRange(
  stored: readonly (number | null)[],
  newest: readonly (number | null)[],
): PriceRange | null {
  const known = stored.filter((price) => price !== null);
  if (known.length === 0) return null;
  const prices = [...known, ...newest.filter((price) => price !== null)];
  return { low: Math.min(...prices), high: Math.max(...prices) };
}
