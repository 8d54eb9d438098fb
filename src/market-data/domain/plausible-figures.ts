/** Bounds beyond which a figure is a feed error. They fit every listing and are safe to store and divide. */
const MIN_PRICE = 1e-9;
const MAX_PRICE = 1e12;
const MAX_COUNT = 1e17;

/** Returns whether the value is a plausible price. */
export const isPrice = (value: number | null): value is number =>
  value !== null && value >= MIN_PRICE && value <= MAX_PRICE;

export const toPriceOrNull = (value: number | null): number | null => (isPrice(value) ? value : null);

/** Rounds a volume or market cap to a non-negative integer, or returns null. */
export const toCountOrNull = (value: number | null): number | null =>
  value !== null && value >= 0 && value <= MAX_COUNT ? Math.round(value) + 0 : null;
