import { isPrice } from '../../domain/plausible-figures.ts';
import type { StoredPrice } from './price-queries.ts';
import { toTradingDay } from './trading-day.ts';

/** Maximum factor of an ordinary daily move. */
export const MAX_NORMAL_DAILY_RATIO = 1.15;
/** Factor above which a move is treated as a split. Splits of 5:4 or 4:3 and large daily moves are below it. */
export const MIN_SPLIT_RATIO = 1.4;

/** Gap between two prices. `ambiguous`: a small split or a large daily move. */
type PriceGap = 'none' | 'ambiguous' | 'split';

/** Last close before a split, unadjusted and adjusted for it. */
export interface SplitAdjustment {
  day: string;
  unadjustedClose: number;
  /** Null if only the split feed can supply it. */
  adjustedClose: number | null;
}

export interface SplitCheck {
  /** Gap between the stored history and the price. */
  historyGap: PriceGap;
  /** Absent if there is no gap. With a history that matches the price, the previous close is the one that does not. */
  adjustment?: SplitAdjustment | undefined;
}

/** Returns the last stored close before the day of a quote. It is comparable with the previous close of the quote. */
export function findStoredClose(
  { closes, new_york_days: newYorkDays }: StoredPrice,
  time: Date,
): [date: string, close: number] | undefined {
  const day = toTradingDay(time, newYorkDays);
  return closes.findLast((candidate) => candidate !== null && candidate[0] < day && isPrice(candidate[1])) ?? undefined;
}

/**
 * Compares the stored close with the quote's previous close (close gap), and the previous close with the price (price
 * gap). A wide gap is `ambiguous` or `split`.
 *
 * | close gap | price gap | history gap |
 * |---|---|---|
 * | none | none | none |
 * | none | wide | ambiguous: the provider may not have adjusted its previous close for a split |
 * | wide | none | the close gap: the previous close is adjusted for a split and the history is not |
 * | wide | wide | none if the price is near the stored close, otherwise the close gap |
 */
export function detectSplit(
  price: number,
  prevClose: number | null,
  storedClose: [date: string, close: number] | undefined,
): SplitCheck {
  if (!storedClose || prevClose === null) return { historyGap: 'none' };
  const [day, unadjustedClose] = storedClose;
  const closeGap = classifyPriceGap(prevClose / unadjustedClose);
  const priceGap = classifyPriceGap(price / prevClose);
  if (closeGap === 'none') {
    if (priceGap === 'none') return { historyGap: 'none' };
    return { historyGap: 'ambiguous', adjustment: { day, unadjustedClose, adjustedClose: null } };
  }
  if (priceGap !== 'none' && classifyPriceGap(price / unadjustedClose) === 'none')
    return { historyGap: 'none', adjustment: { day, unadjustedClose, adjustedClose: unadjustedClose } };
  return { historyGap: closeGap, adjustment: { day, unadjustedClose, adjustedClose: prevClose } };
}

function classifyPriceGap(ratio: number): PriceGap {
  const factor = Math.max(ratio, 1 / ratio);
  if (factor > MIN_SPLIT_RATIO) return 'split';
  return factor > MAX_NORMAL_DAILY_RATIO ? 'ambiguous' : 'none';
}
