import { inRange } from './dates.ts';
import { marketCalendar } from './market-calendar.ts';
import type { Candle, DateRange } from './market-data-provider.ts';

/** The candles of a range's closed days that have a price, ascending. */
export function closedCandles(candles: readonly Candle[], { from, to }: DateRange, now: Date): Candle[] {
  const closed = marketCalendar.lastClosedDay(now);
  return candles
    .filter(inRange({ from, to: closed < to ? closed : to }))
    .filter(({ close }) => close > 0)
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}
