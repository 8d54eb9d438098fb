import type { DateRange } from '../providers/port.ts';

const DAY_MS = 86_400_000;
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The range in pieces of seven days; 90 days are 13 pieces. */
export function weeksOf({ from, to }: DateRange): DateRange[] {
  const weeks: DateRange[] = [];
  for (let start = Date.parse(from); start <= Date.parse(to); start += 7 * DAY_MS) {
    weeks.push({ from: dateOf(start), to: dateOf(Math.min(start + 6 * DAY_MS, Date.parse(to))) });
  }
  return weeks;
}
