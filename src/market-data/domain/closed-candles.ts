import { isInRange } from './dates.ts';
import { marketCalendar } from './market-calendar.ts';
import type { Candle, DateRange } from './market-data-provider.ts';

/** Returns the candles of closed days in a range that have a price, ascending. */
export function filterClosedCandles(candles: readonly Candle[], { from, to }: DateRange, now: Date): Candle[] {
  const lastClosedDay = marketCalendar.getLastClosedDay(now);
  return candles
    .filter(isInRange({ from, to: lastClosedDay < to ? lastClosedDay : to }))
    .filter(({ close }) => close > 0)
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}
