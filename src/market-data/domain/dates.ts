import type { DateRange } from './market-data-provider.ts';

export const DAY_MS = 86_400_000;

/** The date (YYYY-MM-DD) in UTC at a time. */
export const toIsoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The date so many days on, backwards where they are negative. */
export const addDays = (date: string, days: number): string => toIsoDate(Date.parse(date) + days * DAY_MS);

/** The range in pieces of seven days; 90 days are 13 pieces. */
export function splitIntoWeeks({ from, to }: DateRange): DateRange[] {
  const weeks: DateRange[] = [];
  for (let start = from; start <= to; start = addDays(start, 7)) {
    const end = addDays(start, 6);
    weeks.push({ from: start, to: end < to ? end : to });
  }
  return weeks;
}

/** Whether what has a date is in the range. */
export const isInRange =
  ({ from, to }: DateRange) =>
  ({ date }: { date: string }): boolean =>
    date >= from && date <= to;

/** Whether there is such a day: the 31st of September has the form of one. */
export function isCalendarDay(value: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
