import type { MarketCalendar } from './market-calendar.ts';

/** Date of a market day and the close on it. */
export type DatedClose = [date: string, close: number];

export type RangeName = '1W' | '1M' | '3M' | '6M' | 'YTD' | '1Y';

/** Returns the first date of each range that ends today. Dates are those of the exchange. */
export function computeRangeStarts(today: string): Record<RangeName, string> {
  return {
    '1W': subtractDays(today, 7),
    '1M': subtractMonths(today, 1),
    '3M': subtractMonths(today, 3),
    '6M': subtractMonths(today, 6),
    YTD: `${today.slice(0, 4)}-01-01`,
    '1Y': subtractMonths(today, 12),
  };
}

/**
 * Returns the ranges that the closes (oldest first) cover. A range needs closes from its first market day on, and at
 * least two points. One missing day at the start is tolerated, because the listing's exchange can have its own
 * holidays.
 */
export function computeChartRanges(
  closes: readonly DatedClose[],
  today: string,
  calendar: Pick<MarketCalendar, 'isMarketDay'>,
): Partial<Record<RangeName, DatedClose[]>> {
  const startByRange = computeRangeStarts(today);
  const ranges: Partial<Record<RangeName, DatedClose[]>> = {};
  const firstDate = closes[0]?.[0];
  if (firstDate === undefined) return ranges;
  for (const name of Object.keys(startByRange) as RangeName[]) {
    const closesInRange = closes.filter(([date]) => date >= startByRange[name] && date <= today);
    if (closesInRange.length >= 2 && countMissingDays(startByRange[name], firstDate, calendar) <= 1)
      ranges[name] = closesInRange;
  }
  return ranges;
}

/** Counts the market days from `start` to the day before `first`. Stops at 2. */
function countMissingDays(start: string, firstDate: string, calendar: Pick<MarketCalendar, 'isMarketDay'>): number {
  let missing = 0;
  for (let date = start; date < firstDate && missing < 2; date = subtractDays(date, -1))
    if (calendar.isMarketDay(date)) missing += 1;
  return missing;
}

export const subtractDays = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10);

/**
 * Returns the date `months` earlier, limited to the last day of that month. A month before March 31 is the end of
 * February.
 */
export function subtractMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}
