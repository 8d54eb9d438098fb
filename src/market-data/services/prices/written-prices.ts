import type { ServiceSql } from '../../../platform/database/roles.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import type { AcceptedQuote, GapFinding } from './check-splits.ts';
import { MIN_SPLIT_RATIO, type SplitAdjustment } from './detect-split.ts';
import { getDayEnd, toTradingDay } from './trading-day.ts';

/** A price that a refresh has stored, newer than the one before. */
export interface WrittenPrice {
  symbol: string;
  price: number;
  /** Day's move in percent, adjusted for a split of this day. Null if it is unknown. */
  change_1d: number | null;
  price_at: string;
  /** Trading day of the price, YYYY-MM-DD. A session has one day, whatever its time zone. */
  day: string;
  delayed_minutes: number;
  sample: boolean;
}

/** A split between the stored history and the newest price. */
export interface PriceSplit {
  symbol: string;
  /** Start of the day after the last close before the split, in the time of its market. */
  day_start: string;
  /** Price after the split over price before it: 0.25 for four new shares of one. */
  factor: number;
}

/**
 * Called in the transaction that stores prices, while it holds their locks. The function that it returns runs after the
 * commit.
 */
export type EvaluatePrices = (
  sql: ServiceSql,
  written: { prices: readonly WrittenPrice[]; splits: readonly PriceSplit[] },
) => Promise<() => void>;

/** Time in ms after the close in which a closing price may be stamped. */
const CLOSING_PRICE_MS = 5 * 60_000;

/** A quote with what alerts need to know of its listing. */
export interface WrittenQuote extends AcceptedQuote {
  /** True if the listing trades on New York's market days. */
  newYorkDays: boolean;
}

/**
 * Selects the new prices by which alerts are evaluated. A price from outside the regular hours is left out, and one that
 * looks like a split while the split feed does not answer.
 */
export function selectEvaluated(
  quotes: readonly WrittenQuote[],
  findings: ReadonlyMap<string, GapFinding>,
): WrittenPrice[] {
  const prices: WrittenPrice[] = [];
  for (const { price, historyGap, adjustment, newYorkDays } of quotes) {
    const { symbol, current_price: current, price_at: priceAt } = price;
    const finding = findings.get(symbol);
    const looksLikeSplit = adjustment !== undefined && isSplitRatio(current / adjustment.unadjustedClose);
    const time = new Date(priceAt);
    const day = toTradingDay(time, newYorkDays);
    if ((newYorkDays && !isInSession(time, day)) || (finding?.kind === 'unanswered' && looksLikeSplit)) continue;
    // The provider's previous close may not be adjusted for the split.
    const adjusted = historyGap === 'none' ? adjustment : getSplit(finding);
    const close = adjusted?.adjustedClose ?? null;
    prices.push({
      symbol,
      price: current,
      change_1d: close === null ? price.change_1d : (current / close - 1) * 100,
      price_at: priceAt,
      day,
      delayed_minutes: price.delayed_minutes,
      sample: price.source === 'simulator',
    });
  }
  return prices;
}

/** Lists the splits that accepted quotes show, whatever their time. */
export const listSplits = (quotes: readonly WrittenQuote[], findings: ReadonlyMap<string, GapFinding>): PriceSplit[] =>
  quotes.flatMap(({ price: { symbol }, newYorkDays }) => {
    const { day, unadjustedClose, adjustedClose = null } = getSplit(findings.get(symbol)) ?? {};
    return day === undefined || unadjustedClose === undefined || adjustedClose === null
      ? []
      : [{ symbol, day_start: getDayEnd(day, newYorkDays).toISOString(), factor: adjustedClose / unadjustedClose }];
  });

const getSplit = (finding: GapFinding | undefined): SplitAdjustment | undefined =>
  finding?.kind === 'split' ? finding.adjustment : undefined;

const isSplitRatio = (ratio: number): boolean => Math.max(ratio, 1 / ratio) > MIN_SPLIT_RATIO;

/** Returns whether a time is in the regular hours of its day in New York. */
function isInSession(time: Date, day: string): boolean {
  const hours = marketCalendar.getTradingHours(day);
  return hours !== undefined && time >= hours.open && time.getTime() < hours.close.getTime() + CLOSING_PRICE_MS;
}
