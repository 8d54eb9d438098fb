import { marketCalendar } from '../../domain/market-calendar.ts';
import { isPrice } from '../../domain/plausible-figures.ts';
import type { StoredPrice } from './price-queries.ts';

/** Factor below which prices move on most days. */
export const MAX_NORMAL_DAILY_RATIO = 1.15;
/** Factor above which a move is always a split. 5:4 and 4:3 splits are below it, as are large daily moves. */
const MIN_SPLIT_RATIO = 1.4;

/** Whether two prices have the same scale. `split`: they differ. `doubtful`: a small split or a large daily move. */
type PriceGap = 'fits' | 'doubtful' | 'split';

/**
 * Last day before the split with its stored close. `close` is the close after the split, or null if only the split feed
 * can supply it.
 */
export interface NewScale {
  day: string;
  stored: number;
  close: number | null;
}

export interface SplitCheck {
  /** Whether the stored history matches the price. */
  history: PriceGap;
  /** The change of scale by a split. Absent if the history matches. */
  scale?: NewScale | undefined;
}

/**
 * Returns the stored close to compare with the previous close of a quote: the last one before the day of the quote,
 * which may have a close already.
 */
export function findPreviousClose(
  { closes, new_york_days: newYorkDays }: StoredPrice,
  time: Date,
): [date: string, close: number] | undefined {
  const day = newYorkDays ? marketCalendar.toNewYorkDate(time) : time.toISOString().slice(0, 10);
  return closes.findLast((candidate) => candidate !== null && candidate[0] < day && isPrice(candidate[1])) ?? undefined;
}

/**
 * Compares the stored close with the quote's previous close (history gap), and the previous close with the price (price
 * gap).
 *
 * | history gap | price gap | the history |
 * |---|---|---|
 * | fits | fits | fits |
 * | fits | wide | is doubtful: the provider may not have adjusted its previous close for a split |
 * | wide | fits | does not fit: the previous close is adjusted for a split and the history is not |
 * | wide | wide | fits if the stored close fits the price; otherwise it does not |
 */
export function detectSplit(
  price: number,
  prevClose: number | null,
  previousClose: [date: string, close: number] | undefined,
): SplitCheck {
  if (!previousClose || prevClose === null) return { history: 'fits' };
  const [day, stored] = previousClose;
  const historyGap = classifyPriceGap(prevClose / stored);
  const priceGap = classifyPriceGap(price / prevClose);
  if (historyGap === 'fits') {
    if (priceGap === 'fits') return { history: 'fits' };
    return { history: 'doubtful', scale: { day, stored, close: null } };
  }
  if (priceGap !== 'fits' && classifyPriceGap(price / stored) === 'fits') return { history: 'fits' };
  return { history: historyGap, scale: { day, stored, close: prevClose } };
}

function classifyPriceGap(ratio: number): PriceGap {
  const factor = Math.max(ratio, 1 / ratio);
  if (factor > MIN_SPLIT_RATIO) return 'split';
  return factor > MAX_NORMAL_DAILY_RATIO ? 'doubtful' : 'fits';
}
