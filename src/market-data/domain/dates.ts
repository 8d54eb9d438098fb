import type { DateRange } from './market-data-provider.ts';

export const DAY_MS = 86_400_000;

/** Returns the UTC date (YYYY-MM-DD) of a time in ms. */
export const toIsoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Adds days to a date. A negative number subtracts. */
export const addDays = (date: string, days: number): string => toIsoDate(Date.parse(date) + days * DAY_MS);

/** Returns the weekday of a date, from 0 for Sunday to 6 for Saturday. */
export const getWeekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

/** Returns whether a date is a Saturday or Sunday. */
export const isWeekend = (date: string): boolean => [0, 6].includes(getWeekday(date));

/** Splits a range into chunks of seven days. 90 days are 13 chunks. */
export function splitIntoWeeks({ from, to }: DateRange): DateRange[] {
  const weeks: DateRange[] = [];
  for (let start = from; start <= to; start = addDays(start, 7)) {
    const end = addDays(start, 6);
    weeks.push({ from: start, to: end < to ? end : to });
  }
  return weeks;
}

/** Returns whether the date of an item is in the range. */
export const isInRange =
  ({ from, to }: DateRange) =>
  ({ date }: { date: string }): boolean =>
    date >= from && date <= to;

/** Returns whether the day exists. "09-31" has a valid form and is no calendar day. */
export function isCalendarDay(value: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
