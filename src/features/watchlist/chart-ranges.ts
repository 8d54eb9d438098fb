import type { WatchlistMarket } from './context.ts';
import { type Close, type RangeName, rangeNames } from './contract.ts';

/** The first date of each range that ends today; dates are the exchange's. */
export function rangeStarts(today: string): Record<RangeName, string> {
  return {
    '1W': daysBefore(today, 7),
    '1M': monthsBefore(today, 1),
    '3M': monthsBefore(today, 3),
    '6M': monthsBefore(today, 6),
    YTD: `${today.slice(0, 4)}-01-01`,
    '1Y': monthsBefore(today, 12),
  };
}

/**
 * The ranges that the closes (oldest first) cover: from the range's first market day on, with at least two points to
 * draw. One missing day is forgiven at the start, since a listing's own exchange has holidays that the US market has
 * not.
 */
export function chartRanges(
  closes: readonly Close[],
  today: string,
  calendar: Pick<WatchlistMarket['calendar'], 'isMarketDay'>,
): Partial<Record<RangeName, Close[]>> {
  const starts = rangeStarts(today);
  const ranges: Partial<Record<RangeName, Close[]>> = {};
  const first = closes[0]?.[0];
  if (first === undefined) return ranges;
  for (const name of rangeNames) {
    const inside = closes.filter(([date]) => date >= starts[name] && date <= today);
    if (inside.length >= 2 && missingDays(starts[name], first, calendar) <= 1) ranges[name] = inside;
  }
  return ranges;
}

/** Market days from `start` up to the day before `first`; counts no further than 2. */
function missingDays(start: string, first: string, calendar: Pick<WatchlistMarket['calendar'], 'isMarketDay'>): number {
  let missing = 0;
  for (let date = start; date < first && missing < 2; date = daysBefore(date, -1))
    if (calendar.isMarketDay(date)) missing += 1;
  return missing;
}

export const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10);

/** The same day of an earlier month, or that month's last one: a month before March 31 is February's end. */
export function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}
