/** Bounds beyond which a figure is a fault of the feed: wide enough for every listing, and safe to store and divide. */
const MIN_PRICE = 1e-9;
const MAX_PRICE = 1e12;
const MAX_COUNT = 1e17;

/** Whether this can be a price. */
export const isPrice = (value: number | null): value is number =>
  value !== null && value >= MIN_PRICE && value <= MAX_PRICE;

export const toPriceOrNull = (value: number | null): number | null => (isPrice(value) ? value : null);

/** A volume or a market cap: whole, not negative. */
export const toCountOrNull = (value: number | null): number | null =>
  value !== null && value >= 0 && value <= MAX_COUNT ? Math.round(value) + 0 : null;
