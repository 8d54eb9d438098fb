import { marketCalendar } from '../../market-data/domain/market-calendar.ts';

/** The first day that has simulated prices. */
const FIRST_DAY = '2023-01-03';

const days: string[] = [];
const places = new Map<string, number>();

/** The market day at a place; day 0 is `FIRST_DAY`. */
export function marketDayAt(place: number): string {
  while (days.length <= place) append();
  return days[place]!;
}

/** The place of a market day, or of the last one before the date; -1 before the first. */
export function placeOfDay(date: string): number {
  while ((days.at(-1) ?? '') < date) append();
  return places.get(date) ?? days.findLastIndex((day) => day < date);
}

function append(): void {
  const last = days.at(-1);
  const day = last === undefined ? FIRST_DAY : marketCalendar.addMarketDays(last, 1);
  places.set(day, days.length);
  days.push(day);
}
