import { addDays, dateOf } from './dates.ts';

/** A day that is not an ordinary weekday of the exchanges. */
type Exception = { kind: 'closed' | 'half'; name: string };

/** What the yearly rules cannot know: closures by decree and changed days. `full` removes a rule's exception. */
const overrides: Readonly<Record<string, Exception | { kind: 'full' }>> = {
  '2018-12-05': { kind: 'closed', name: 'Day of mourning for George H. W. Bush' },
  '2025-01-09': { kind: 'closed', name: 'Day of mourning for Jimmy Carter' },
};

const years = new Map<number, ReadonlyMap<string, Exception>>();

/** Closed days and half days of a year, by date. Weekends are not listed. */
export function holidaysOf(year: number): ReadonlyMap<string, Exception> {
  const known = years.get(year);
  if (known) return known;
  const days = new Map<string, Exception>([...closures(year), ...earlyCloses(year)]);
  for (const [date, exception] of Object.entries(overrides)) {
    if (!date.startsWith(`${year}-`)) continue;
    if (exception.kind === 'full') days.delete(date);
    else days.set(date, exception);
  }
  years.set(year, days);
  return days;
}

const SATURDAY = 6;
const isoDate = (year: number, month: number, day: number): string => dateOf(Date.UTC(year, month - 1, day));
const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

/** The `nth` weekday (1 = Monday) of a month; -1 is the last. */
function nth(year: number, month: number, weekday: number, count: number): string {
  if (count < 0) {
    const last = isoDate(year, month + 1, 0);
    return addDays(last, -((weekdayOf(last) - weekday + 7) % 7));
  }
  const first = isoDate(year, month, 1);
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (count - 1) * 7);
}

/** A fixed date as it is observed: on Friday for a Saturday, on Monday for a Sunday. */
function observed(date: string): string {
  const weekday = weekdayOf(date);
  return weekday === SATURDAY ? addDays(date, -1) : weekday === 0 ? addDays(date, 1) : date;
}

function* closures(year: number): Generator<[string, Exception]> {
  const closed = (date: string, name: string): [string, Exception] => [date, { kind: 'closed', name }];
  const newYear = isoDate(year, 1, 1);
  // On a Saturday it is not observed: the Friday before belongs to the old year's accounts.
  if (weekdayOf(newYear) !== SATURDAY) yield closed(observed(newYear), "New Year's Day");
  yield closed(nth(year, 1, 1, 3), 'Martin Luther King, Jr. Day');
  yield closed(nth(year, 2, 1, 3), "Washington's Birthday");
  yield closed(addDays(easter(year), -2), 'Good Friday');
  yield closed(nth(year, 5, 1, -1), 'Memorial Day');
  if (year >= 2022) yield closed(observed(isoDate(year, 6, 19)), 'Juneteenth');
  yield closed(observed(isoDate(year, 7, 4)), 'Independence Day');
  yield closed(nth(year, 9, 1, 1), 'Labor Day');
  yield closed(nth(year, 11, 4, 4), 'Thanksgiving Day');
  yield closed(observed(isoDate(year, 12, 25)), 'Christmas Day');
}

function* earlyCloses(year: number): Generator<[string, Exception]> {
  const half = (date: string, name: string): [string, Exception] => [date, { kind: 'half', name }];
  const isMondayToThursday = (date: string): boolean => weekdayOf(date) >= 1 && weekdayOf(date) <= 4;
  const independenceEve = isoDate(year, 7, 3);
  if (isMondayToThursday(independenceEve)) yield half(independenceEve, 'Day before Independence Day');
  yield half(addDays(nth(year, 11, 4, 4), 1), 'Day after Thanksgiving');
  const christmasEve = isoDate(year, 12, 24);
  if (isMondayToThursday(christmasEve)) yield half(christmasEve, 'Christmas Eve');
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
function easter(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return isoDate(year, Math.floor(f / 31), (f % 31) + 1);
}
