import { addDays } from './dates.ts';
import { holidaysOf } from './market-holidays.ts';
import { instantOf, newYorkClock } from './new-york-time.ts';
import type { MarketSession } from './market-data-provider.ts';

/** What kind of day a date is for the US exchanges. */
type TradingDay = { kind: 'full' | 'half'; name?: string } | { kind: 'closed'; name: string };

/** Minutes after midnight in New York: a table, since the exchanges are about to lengthen their day. */
const HOURS = {
  full: { pre: 4 * 60, open: 9 * 60 + 30, close: 16 * 60, end: 20 * 60 },
  half: { pre: 4 * 60, open: 9 * 60 + 30, close: 13 * 60, end: 17 * 60 },
} as const;

/** The US stock market's days and hours. Dates are New York's, YYYY-MM-DD. Pure, whatever the server's time zone. */
export const marketCalendar = {
  tradingDay,
  isMarketDay: (date: string): boolean => tradingDay(date).kind !== 'closed',
  isHalfDay: (date: string): boolean => tradingDay(date).kind === 'half',
  /** The date in New York at an instant. */
  newYorkDate: (instant: Date): string => newYorkClock(instant).date,
  hoursOf,
  marketSessionAt,
  nextChange,
  marketDaysBetween,
  addMarketDays,
  lastClosedDay,
};

export type MarketCalendar = typeof marketCalendar;

/** Weekends and holidays are closed; a half day ends at 13:00. */
function tradingDay(date: string): TradingDay {
  const exception = holidaysOf(Number(date.slice(0, 4))).get(date);
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6) return { kind: 'closed', name: weekday === 0 ? 'Sunday' : 'Saturday' };
  return exception ?? { kind: 'full' };
}

/** Regular hours of a date as instants; `undefined` on closed days. */
function hoursOf(date: string): { open: Date; close: Date } | undefined {
  const { kind } = tradingDay(date);
  if (kind === 'closed') return undefined;
  return { open: instantOf(date, HOURS[kind].open), close: instantOf(date, HOURS[kind].close) };
}

/** Pre 04:00, open 09:30, post 16:00 to 20:00; on half days post 13:00 to 17:00. */
function marketSessionAt(instant: Date): MarketSession {
  const { date, minutes } = newYorkClock(instant);
  const { kind } = tradingDay(date);
  if (kind === 'closed') return 'closed';
  const { pre, open, close, end } = HOURS[kind];
  if (minutes < pre || minutes >= end) return 'closed';
  return minutes < open ? 'pre' : minutes < close ? 'open' : 'post';
}

/** The next instant at which `marketSessionAt` changes. */
function nextChange(instant: Date): Date {
  for (let date = newYorkClock(instant).date; ; date = addDays(date, 1)) {
    const { kind } = tradingDay(date);
    if (kind === 'closed') continue;
    const { pre, open, close, end } = HOURS[kind];
    for (const minutes of [pre, open, close, end]) {
      const change = instantOf(date, minutes);
      if (change > instant) return change;
    }
  }
}

/** Market days after `from` up to and with `to`; 0 for the same day, negative backwards. */
function marketDaysBetween(from: string, to: string): number {
  if (to < from) return -marketDaysBetween(to, from);
  let days = 0;
  for (let date = addDays(from, 1); date <= to; date = addDays(date, 1))
    if (tradingDay(date).kind !== 'closed') days += 1;
  return days;
}

/** The market day `days` on from a date (0: the date itself or the next market day after it). */
function addMarketDays(date: string, days: number): string {
  let reached = nearestMarketDay(date, days < 0 ? -1 : 1);
  for (let left = Math.abs(days); left > 0; left -= 1)
    reached = nearestMarketDay(addDays(reached, Math.sign(days)), Math.sign(days));
  return reached;
}

/** The date itself where it is a market day, else the next one in that direction. */
function nearestMarketDay(date: string, direction: number): string {
  let reached = date;
  while (tradingDay(reached).kind === 'closed') reached = addDays(reached, direction);
  return reached;
}

/** The last market day whose regular hours have ended at the instant. */
function lastClosedDay(instant: Date): string {
  const today = newYorkClock(instant).date;
  const hours = hoursOf(today);
  return hours && hours.close <= instant ? today : nearestMarketDay(addDays(today, -1), -1);
}
