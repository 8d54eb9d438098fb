import { addDays, getWeekday, toIsoDate } from './dates.ts';

/** A date that is no ordinary trading weekday. */
type CalendarException = { kind: 'closed' | 'half'; name: string };

/** Exceptions outside the yearly rules: closures by decree and changed days. `full` removes the exception of a rule. */
const OVERRIDES: Readonly<Record<string, CalendarException | { kind: 'full' }>> = {
  '2018-12-05': { kind: 'closed', name: 'Day of mourning for George H. W. Bush' },
  '2025-01-09': { kind: 'closed', name: 'Day of mourning for Jimmy Carter' },
};

const holidaysByYear = new Map<number, ReadonlyMap<string, CalendarException>>();

/** Returns the closed days and half days of a year by date. Weekends are not included. */
export function getHolidays(year: number): ReadonlyMap<string, CalendarException> {
  const cached = holidaysByYear.get(year);
  if (cached) return cached;
  const days = new Map<string, CalendarException>([...listClosures(year), ...listEarlyCloses(year)]);
  for (const [date, exception] of Object.entries(OVERRIDES)) {
    if (!date.startsWith(`${year}-`)) continue;
    if (exception.kind === 'full') days.delete(date);
    else days.set(date, exception);
  }
  holidaysByYear.set(year, days);
  return days;
}

const SATURDAY = 6;
const toIsoDay = (year: number, month: number, day: number): string => toIsoDate(Date.UTC(year, month - 1, day));

/** Returns a weekday (1 = Monday) of a month by its count. A count of -1 returns the last one. */
export function findNthWeekday(year: number, month: number, weekday: number, count: number): string {
  if (count < 0) {
    const last = toIsoDay(year, month + 1, 0);
    return addDays(last, -((getWeekday(last) - weekday + 7) % 7));
  }
  const first = toIsoDay(year, month, 1);
  return addDays(first, ((weekday - getWeekday(first) + 7) % 7) + (count - 1) * 7);
}

/** Returns the observed date of a fixed holiday: Friday for a Saturday, Monday for a Sunday. */
function toObservedDate(date: string): string {
  const weekday = getWeekday(date);
  if (weekday === SATURDAY) return addDays(date, -1);
  return weekday === 0 ? addDays(date, 1) : date;
}

function* listClosures(year: number): Generator<[string, CalendarException]> {
  const toClosedDay = (date: string, name: string): [string, CalendarException] => [date, { kind: 'closed', name }];
  const newYear = toIsoDay(year, 1, 1);
  // A New Year's Day on a Saturday is not observed, because the Friday before belongs to the old accounting year.
  if (getWeekday(newYear) !== SATURDAY) yield toClosedDay(toObservedDate(newYear), "New Year's Day");
  yield toClosedDay(findNthWeekday(year, 1, 1, 3), 'Martin Luther King, Jr. Day');
  yield toClosedDay(findNthWeekday(year, 2, 1, 3), "Washington's Birthday");
  yield toClosedDay(addDays(computeEaster(year), -2), 'Good Friday');
  yield toClosedDay(findNthWeekday(year, 5, 1, -1), 'Memorial Day');
  if (year >= 2022) yield toClosedDay(toObservedDate(toIsoDay(year, 6, 19)), 'Juneteenth');
  yield toClosedDay(toObservedDate(toIsoDay(year, 7, 4)), 'Independence Day');
  yield toClosedDay(findNthWeekday(year, 9, 1, 1), 'Labor Day');
  yield toClosedDay(findNthWeekday(year, 11, 4, 4), 'Thanksgiving Day');
  yield toClosedDay(toObservedDate(toIsoDay(year, 12, 25)), 'Christmas Day');
}

function* listEarlyCloses(year: number): Generator<[string, CalendarException]> {
  const toHalfDay = (date: string, name: string): [string, CalendarException] => [date, { kind: 'half', name }];
  const isMondayToThursday = (date: string): boolean => getWeekday(date) >= 1 && getWeekday(date) <= 4;
  const independenceEve = toIsoDay(year, 7, 3);
  if (isMondayToThursday(independenceEve)) yield toHalfDay(independenceEve, 'Day before Independence Day');
  yield toHalfDay(addDays(findNthWeekday(year, 11, 4, 4), 1), 'Day after Thanksgiving');
  const christmasEve = toIsoDay(year, 12, 24);
  if (isMondayToThursday(christmasEve)) yield toHalfDay(christmasEve, 'Christmas Eve');
}

/** Returns Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
export function computeEaster(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return toIsoDay(year, Math.floor(f / 31), (f % 31) + 1);
}
