/** Bounds beyond which a figure is a fault of the feed: wide enough for every listing, and safe to store and divide. */
const LEAST_PRICE = 1e-9;
const MOST_PRICE = 1e12;
const MOST_COUNT = 1e17;

/** Whether this can be a price. */
export const isPrice = (value: number | null): value is number =>
  value !== null && value >= LEAST_PRICE && value <= MOST_PRICE;

export const priceOrNull = (value: number | null): number | null => (isPrice(value) ? value : null);

/** A volume or a market cap: whole, not negative. */
export const countOrNull = (value: number | null): number | null =>
  value !== null && value >= 0 && value <= MOST_COUNT ? Math.round(value) + 0 : null;
