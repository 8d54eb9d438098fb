import { addDays, getWeekday } from './dates.ts';
import { getHolidays } from './market-holidays.ts';
import { toInstant, toNewYorkClock } from './new-york-time.ts';
import type { MarketSession } from './market-data-provider.ts';

/** Kind of a date for the US exchanges. */
type TradingDay = { kind: 'full' | 'half'; name?: string } | { kind: 'closed'; name: string };

/** Minutes after midnight in New York. A table allows for the planned longer trading day. */
const SESSION_MINUTES = {
  full: { pre: 4 * 60, open: 9 * 60 + 30, close: 16 * 60, end: 20 * 60 },
  half: { pre: 4 * 60, open: 9 * 60 + 30, close: 13 * 60, end: 17 * 60 },
} as const;

/**
 * Trading days and hours of the US stock market. Dates are in New York time (YYYY-MM-DD). All functions are pure and
 * independent of the server's time zone.
 */
export const marketCalendar = {
  getTradingDay,
  isMarketDay: (date: string): boolean => getTradingDay(date).kind !== 'closed',
  isHalfDay: (date: string): boolean => getTradingDay(date).kind === 'half',
  /** Returns the date in New York at an instant. */
  toNewYorkDate: (instant: Date): string => toNewYorkClock(instant).date,
  getTradingHours,
  getMarketSession,
  getNextChange,
  countMarketDays,
  addMarketDays,
  getLastClosedDay,
  getLatestSessionDay,
};

export type MarketCalendar = typeof marketCalendar;

/** Returns the kind of a date. Weekends and holidays are closed, and a half day ends at 13:00. */
function getTradingDay(date: string): TradingDay {
  const exception = getHolidays(Number(date.slice(0, 4))).get(date);
  const weekday = getWeekday(date);
  if (weekday === 0 || weekday === 6) return { kind: 'closed', name: weekday === 0 ? 'Sunday' : 'Saturday' };
  return exception ?? { kind: 'full' };
}

/** Returns the regular hours of a date as instants, or undefined on closed days. */
function getTradingHours(date: string): { open: Date; close: Date } | undefined {
  const { kind } = getTradingDay(date);
  if (kind === 'closed') return undefined;
  return { open: toInstant(date, SESSION_MINUTES[kind].open), close: toInstant(date, SESSION_MINUTES[kind].close) };
}

/**
 * Returns the session: pre from 04:00, open from 09:30, post from 16:00 to 20:00. On half days post is from 13:00 to
 * 17:00.
 */
function getMarketSession(instant: Date): MarketSession {
  const { date, minutes } = toNewYorkClock(instant);
  const { kind } = getTradingDay(date);
  if (kind === 'closed') return 'closed';
  const { pre, open, close, end } = SESSION_MINUTES[kind];
  if (minutes < pre || minutes >= end) return 'closed';
  if (minutes < open) return 'pre';
  return minutes < close ? 'open' : 'post';
}

/** Returns the next instant at which `getMarketSession` changes. */
function getNextChange(instant: Date): Date {
  let date = toNewYorkClock(instant).date;
  let change = findChangeAfter(date, instant);
  while (change === undefined) {
    date = addDays(date, 1);
    change = findChangeAfter(date, instant);
  }
  return change;
}

/** Returns the first change of session on a date after the instant, if there is one. */
function findChangeAfter(date: string, instant: Date): Date | undefined {
  const { kind } = getTradingDay(date);
  if (kind === 'closed') return undefined;
  const { pre, open, close, end } = SESSION_MINUTES[kind];
  return [pre, open, close, end].map((minutes) => toInstant(date, minutes)).find((change) => change > instant);
}

/**
 * Counts the market days after `from` up to and including `to`. Returns 0 for equal dates and a negative number
 * backwards.
 */
function countMarketDays(from: string, to: string): number {
  if (to < from) return -countMarketDays(to, from);
  let days = 0;
  for (let date = addDays(from, 1); date <= to; date = addDays(date, 1))
    if (getTradingDay(date).kind !== 'closed') days += 1;
  return days;
}

/** Returns the market day `days` after a date. 0 returns the date, or the next market day if the date is closed. */
function addMarketDays(date: string, days: number): string {
  let reached = findNearestMarketDay(date, days < 0 ? -1 : 1);
  for (let remaining = Math.abs(days); remaining > 0; remaining -= 1)
    reached = findNearestMarketDay(addDays(reached, Math.sign(days)), Math.sign(days));
  return reached;
}

/** Returns the date if it is a market day, otherwise the nearest one in that direction. */
function findNearestMarketDay(date: string, direction: number): string {
  let reached = date;
  while (getTradingDay(reached).kind === 'closed') reached = addDays(reached, direction);
  return reached;
}

/** Returns the last market day whose regular hours have ended at the instant. */
function getLastClosedDay(instant: Date): string {
  const today = toNewYorkClock(instant).date;
  const hours = getTradingHours(today);
  return hours && hours.close <= instant ? today : findNearestMarketDay(addDays(today, -1), -1);
}

/** Returns the last market day whose regular hours have begun at the instant. Its day changes are the newest. */
function getLatestSessionDay(instant: Date): string {
  const today = toNewYorkClock(instant).date;
  const hours = getTradingHours(today);
  return hours && hours.open <= instant ? today : findNearestMarketDay(addDays(today, -1), -1);
}
