import { marketCalendar } from '../../market-data/domain/market-calendar.ts';

/** The first day that has simulated prices. */
const FIRST_DAY = '2023-01-03';

const days: string[] = [];
const indexByDay = new Map<string, number>();

/** Returns the market day at an index. Day 0 is `FIRST_DAY`. */
export function getMarketDay(index: number): string {
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
