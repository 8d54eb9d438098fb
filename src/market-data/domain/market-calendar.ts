import { addDays } from './dates.ts';
import { getHolidays } from './market-holidays.ts';
import { toInstant, toNewYorkClock } from './new-york-time.ts';
import type { MarketSession } from './market-data-provider.ts';

/** What kind of day a date is for the US exchanges. */
type TradingDay = { kind: 'full' | 'half'; name?: string } | { kind: 'closed'; name: string };

/** Minutes after midnight in New York: a table, since the exchanges are about to lengthen their day. */
const SESSION_MINUTES = {
  full: { pre: 4 * 60, open: 9 * 60 + 30, close: 16 * 60, end: 20 * 60 },
  half: { pre: 4 * 60, open: 9 * 60 + 30, close: 13 * 60, end: 17 * 60 },
} as const;

/** The US stock market's days and hours. Dates are New York's, YYYY-MM-DD. Pure, whatever the server's time zone. */
export const marketCalendar = {
  getTradingDay,
  isMarketDay: (date: string): boolean => getTradingDay(date).kind !== 'closed',
  isHalfDay: (date: string): boolean => getTradingDay(date).kind === 'half',
  /** The date in New York at an instant. */
  toNewYorkDate: (instant: Date): string => toNewYorkClock(instant).date,
  getTradingHours,
  getMarketSession,
  getNextChange,
  countMarketDays,
  addMarketDays,
  getLastClosedDay,
};

export type MarketCalendar = typeof marketCalendar;

/** Weekends and holidays are closed; a half day ends at 13:00. */
function getTradingDay(date: string): TradingDay {
  const exception = getHolidays(Number(date.slice(0, 4))).get(date);
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6) return { kind: 'closed', name: weekday === 0 ? 'Sunday' : 'Saturday' };
  return exception ?? { kind: 'full' };
}

/** Regular hours of a date as instants; `undefined` on closed days. */
function getTradingHours(date: string): { open: Date; close: Date } | undefined {
  const { kind } = getTradingDay(date);
  if (kind === 'closed') return undefined;
  return { open: toInstant(date, SESSION_MINUTES[kind].open), close: toInstant(date, SESSION_MINUTES[kind].close) };
}

/** Pre 04:00, open 09:30, post 16:00 to 20:00; on half days post 13:00 to 17:00. */
function getMarketSession(instant: Date): MarketSession {
  const { date, minutes } = toNewYorkClock(instant);
  const { kind } = getTradingDay(date);
  if (kind === 'closed') return 'closed';
  const { pre, open, close, end } = SESSION_MINUTES[kind];
  if (minutes < pre || minutes >= end) return 'closed';
  return minutes < open ? 'pre' : minutes < close ? 'open' : 'post';
}

/** The next instant at which `getMarketSession` changes. */
function getNextChange(instant: Date): Date {
  for (let date = toNewYorkClock(instant).date; ; date = addDays(date, 1)) {
    const { kind } = getTradingDay(date);
    if (kind === 'closed') continue;
    const { pre, open, close, end } = SESSION_MINUTES[kind];
    for (const minutes of [pre, open, close, end]) {
      const change = toInstant(date, minutes);
      if (change > instant) return change;
    }
  }
}

/** Market days after `from` up to and with `to`; 0 for the same day, negative backwards. */
function countMarketDays(from: string, to: string): number {
  if (to < from) return -countMarketDays(to, from);
  let days = 0;
  for (let date = addDays(from, 1); date <= to; date = addDays(date, 1))
    if (getTradingDay(date).kind !== 'closed') days += 1;
  return days;
}

/** The market day `days` on from a date (0: the date itself or the next market day after it). */
function addMarketDays(date: string, days: number): string {
  let reached = findNearestMarketDay(date, days < 0 ? -1 : 1);
  for (let remaining = Math.abs(days); remaining > 0; remaining -= 1)
    reached = findNearestMarketDay(addDays(reached, Math.sign(days)), Math.sign(days));
  return reached;
}

/** The date itself where it is a market day, else the next one in that direction. */
function findNearestMarketDay(date: string, direction: number): string {
  let reached = date;
  while (getTradingDay(reached).kind === 'closed') reached = addDays(reached, direction);
  return reached;
}

/** The last market day whose regular hours have ended at the instant. */
function getLastClosedDay(instant: Date): string {
  const today = toNewYorkClock(instant).date;
  const hours = getTradingHours(today);
  return hours && hours.close <= instant ? today : findNearestMarketDay(addDays(today, -1), -1);
}
