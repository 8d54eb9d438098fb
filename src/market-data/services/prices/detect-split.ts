import { marketCalendar } from '../../domain/market-calendar.ts';
import { isPrice } from '../../domain/plausible-figures.ts';
import type { StoredPrice } from './price-queries.ts';

/** A listing moves by less than this factor on most days. */
export const MAX_NORMAL_DAILY_RATIO = 1.15;
/** No day explains a larger factor; 5:4 and 4:3 splits lie below it, as wild days do. */
const MIN_SPLIT_RATIO = 1.4;

/** Whether two prices fit one scale. `split`: they do not; `doubtful`: a small split or a wild day. */
type PriceGap = 'fits' | 'doubtful' | 'split';

/** The last day of the old scale with its stored close; `close`: on the new scale, `null` where the split tells. */
export interface NewScale {
  day: string;
  stored: number;
  close: number | null;
}

export interface SplitCheck {
  /** Whether the stored history fits the price. */
  history: PriceGap;
  /** What a split would change; absent where the history fits. */
  scale?: NewScale | undefined;
}

/** The stored close that a quote's previous close should be: the last before its day, which may have one already. */
export function findPreviousClose(
  { closes, new_york_days: newYorkDays }: StoredPrice,
  time: Date,
): [date: string, close: number] | undefined {
  const day = newYorkDays ? marketCalendar.toNewYorkDate(time) : time.toISOString().slice(0, 10);
  return closes.findLast((candidate) => candidate !== null && candidate[0] < day && isPrice(candidate[1])) ?? undefined;
}

/**
 * Compares the stored close with the quote's previous close (history gap), and that with the price (price gap).
 *
 * | history gap | price gap | the history |
 * |---|---|---|
 * | fits | fits | fits |
 * | fits | wide | is doubtful: the provider may not have adjusted its previous close for a split |
 * | wide | fits | does not fit: the previous close is adjusted for a split and the history is not |
 * | wide | wide | fits where the stored close fits the price; else it does not |
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
