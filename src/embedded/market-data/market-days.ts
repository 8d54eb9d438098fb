import { marketCalendar } from '../../market-data/domain/market-calendar.ts';

/** The first day that has simulated prices. */
export const FIRST_DAY = '2023-01-03';

const days: string[] = [];
const indexByDay = new Map<string, number>();

/** Returns the market day at an index. Day 0 is `FIRST_DAY`. */
function getMarketDay(index: number): string {
  while (days.length <= index) appendDay();
  return days[index]!;
}

/**
 * Returns the index of a market day. If the date is no market day, returns the index of the last one before it (-1
 * before the first).
 */
export function getIndexOfDay(date: string): number {
  while ((days.at(-1) ?? '') < date) appendDay();
  return indexByDay.get(date) ?? days.findLastIndex((day) => day < date);
}

function appendDay(): void {
  const last = days.at(-1);
  const day = last === undefined ? FIRST_DAY : marketCalendar.addMarketDays(last, 1);
  indexByDay.set(day, days.length);
  days.push(day);
}

/**
 * Returns a number for a date of any exchange, by which draws differ. A day without a session in New York has a number of
 * its own.
 */
export function getDayNumber(date: string): number {
  const index = getIndexOfDay(date);
  return index >= 0 && getMarketDay(index) === date ? index : FIRST_OTHER_NUMBER + Date.parse(date) / DAY_MS;
}

/** Above the index of every market day. */
const FIRST_OTHER_NUMBER = 1_000_000;
const DAY_MS = 86_400_000;
