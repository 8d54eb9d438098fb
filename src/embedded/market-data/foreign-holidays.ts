import { addDays, getWeekday, isWeekend } from '../../market-data/domain/dates.ts';
import { computeEaster, findNthWeekday } from '../../market-data/domain/market-holidays.ts';

/** Countries of the simulated exchanges outside the United States. */
export type Country = 'GB' | 'IL' | 'ZA';

/**
 * Returns whether the exchange of a country is closed on a date for a holiday. Weekends are no holidays. Sources:
 * docs/explanation/watchlist-and-market-data.md.
 */
export function isHolidayIn(country: Country, date: string): boolean {
  return country === 'IL' ? isIsraeliHoliday(date) : getHolidays(country, Number(date.slice(0, 4))).has(date);
}

const holidaysByYear = new Map<string, ReadonlySet<string>>();

function getHolidays(country: 'GB' | 'ZA', year: number): ReadonlySet<string> {
  const key = `${country} ${year}`;
  let holidays = holidaysByYear.get(key);
  if (!holidays) {
    holidays = new Set(country === 'GB' ? listBritishHolidays(year) : listSouthAfricanHolidays(year));
    holidaysByYear.set(key, holidays);
  }
  return holidays;
}

const SUNDAY = 0;
const MONDAY = 1;

/** Lists the bank holidays of England. A weekday replaces one that falls on a weekend. */
function listBritishHolidays(year: number): string[] {
  const newYear = `${year}-01-01`;
  const christmas = `${year}-12-25`;
  const boxingDay = `${year}-12-26`;
  return [
    newYear,
    ...(isWeekend(newYear) ? [addDays(newYear, getWeekday(newYear) === SUNDAY ? 1 : 2)] : []),
    ...listEasterHolidays(year),
    findNthWeekday(year, 5, MONDAY, 1),
    findNthWeekday(year, 5, MONDAY, -1),
    findNthWeekday(year, 8, MONDAY, -1),
    christmas,
    boxingDay,
    // One on a Saturday moves to Monday, and one on a Sunday to Tuesday.
    ...[christmas, boxingDay].filter(isWeekend).map((date) => addDays(date, 2)),
    ...(year === 2023 ? [CORONATION_HOLIDAY] : []),
  ];
}

const CORONATION_HOLIDAY = '2023-05-08';

/** Lists Good Friday, and the Monday after Easter, which is Family Day in South Africa. */
function listEasterHolidays(year: number): string[] {
  const easter = computeEaster(year);
  return [addDays(easter, -2), addDays(easter, 1)];
}

const SOUTH_AFRICAN_DAYS = ['01-01', '03-21', '04-27', '05-01', '06-16', '08-09', '09-24', '12-16', '12-25', '12-26'];
/** Days that were declared holidays of one year, such as the day of an election. */
const SOUTH_AFRICAN_DECLARED_DAYS = ['2023-12-15', '2024-05-29'];

/** Lists the public holidays of South Africa. When one falls on a Sunday, the Monday after it is one too. */
function listSouthAfricanHolidays(year: number): string[] {
  const fixed = SOUTH_AFRICAN_DAYS.map((day) => `${year}-${day}`);
  const mondays = fixed.filter((date) => getWeekday(date) === SUNDAY).map((date) => addDays(date, 1));
  return [...fixed, ...mondays, ...listEasterHolidays(year), ...SOUTH_AFRICAN_DECLARED_DAYS];
}

/** Days of the Hebrew calendar on which Tel Aviv is closed: holidays, and the days before most of them. */
const HEBREW_HOLIDAYS: ReadonlySet<string> = new Set([
  // Purim, which is in the second Adar of a leap year.
  '14 Adar',
  '14 Adar II',
  // First and last day of Passover.
  '14 Nisan',
  '15 Nisan',
  '20 Nisan',
  '21 Nisan',
  // Shavuot.
  '5 Sivan',
  '6 Sivan',
  // Tisha B'Av.
  '9 Av',
  // Rosh Hashanah.
  '29 Elul',
  '1 Tishri',
  '2 Tishri',
  // Yom Kippur.
  '9 Tishri',
  '10 Tishri',
  // Sukkot and Simchat Torah.
  '14 Tishri',
  '15 Tishri',
  '21 Tishri',
  '22 Tishri',
]);

const hebrewDate = new Intl.DateTimeFormat('en-US-u-ca-hebrew', { timeZone: 'UTC', day: 'numeric', month: 'long' });

/** Returns the day and month of a date in the Hebrew calendar, such as `5 Iyar`. */
function toHebrewDay(date: string): string {
  const parts = hebrewDate.formatToParts(new Date(`${date}T00:00:00Z`));
  const find = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return `${find('day')} ${find('month')}`;
}

const isIsraeliHoliday = (date: string): boolean =>
  HEBREW_HOLIDAYS.has(toHebrewDay(date)) || isIndependenceOrMemorialDay(date);

/** Days by which Independence Day moves if 5 Iyar is a Monday (1), Friday (5) or Saturday (6). */
const INDEPENDENCE_DAY_MOVES: Readonly<Record<number, number>> = { 1: 1, 5: -1, 6: -2 };

/** Independence Day is on 5 Iyar or near it, and Memorial Day is the day before. */
function isIndependenceOrMemorialDay(date: string): boolean {
  // Memorial Day is at most three days before 5 Iyar, and Independence Day at most one day after it.
  return [-1, 0, 1, 2, 3].some((offset) => {
    const fifthOfIyar = addDays(date, offset);
    if (toHebrewDay(fifthOfIyar) !== '5 Iyar') return false;
    const independenceDay = addDays(fifthOfIyar, INDEPENDENCE_DAY_MOVES[getWeekday(fifthOfIyar)] ?? 0);
    return date === independenceDay || date === addDays(independenceDay, -1);
  });
}
