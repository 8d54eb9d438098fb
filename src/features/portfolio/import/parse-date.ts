/** Readings of a date, as texts that sort by time. Both are equal unless day and month can be exchanged. */
export interface DateReadings {
  /** `03/04/2026` as 3 April. Null if this is no date. */
  dayFirst: string | null;
  /** `03/04/2026` as March 4. Null if this is no date. */
  monthFirst: string | null;
}

const NO_DATE: DateReadings = { dayFirst: null, monthFirst: null };

/** First letters of the months in the languages of brokers. */
const MONTHS: readonly RegExp[] = [
  /^(?:jan|ene|gen|sty|janv)/,
  /^(?:feb|fév|fev|lut)/,
  /^(?:mar|mär|maa|mrt|mrz)/,
  /^(?:apr|avr|abr|kwi)/,
  /^(?:may|mai|maj|mei|mag)/,
  /^(?:jun|juin|giu|cze)/,
  /^(?:jul|juil|lug|lip)/,
  /^(?:aug|aoû|aou|ago|sie)/,
  /^(?:sep|set|wrz)/,
  /^(?:oct|okt|ott|paź)/,
  /^(?:nov|lis)/,
  /^(?:dec|dez|déc|dic|des|gru)/,
];

const MAX_CELL_LENGTH = 40;
const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?!\d)/;
const NUMERIC = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
const DAY_NAME = /^(?:\p{L}{2,10}\.?,? +)?(\d{1,2})\.?[-/ ]+(\p{L}{3,12})\.?,?[-/ ]+(\d{4}|\d{2})(?!\d)/u;
const NAME_DAY = /^(?:\p{L}{2,10}, +)?(\p{L}{3,12})\.?[-/ ]+(\d{1,2})(?:st|nd|rd|th)?,?[-/ ]+(\d{4}|\d{2})(?!\d)/u;
const TIME = /^[T ,;]*(\d{1,2})[:.]?(\d{2})(?:[:.]?(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\b)?/i;

/** Reads a date with or without a time. A date that does not exist, such as 31.02., has no reading. */
export function parseDate(cell: string): DateReadings {
  const text = cell.trim();
  if (text.length > MAX_CELL_LENGTH) return NO_DATE;
  const iso = YEAR_FIRST.exec(text);
  if (iso) return same(toText(iso[1]!, Number(iso[3]), Number(iso[4]), text.slice(iso[0].length)));
  const numeric = NUMERIC.exec(text);
  if (numeric) {
    const [whole, first, separator, second, year] = numeric as unknown as [string, string, string, string, string];
    const rest = text.slice(whole.length);
    const dayFirst = toText(year, Number(second), Number(first), rest);
    // Dates with dots have the day first everywhere.
    return { dayFirst, monthFirst: separator === '.' ? dayFirst : toText(year, Number(first), Number(second), rest) };
  }
  const dayName = DAY_NAME.exec(text);
  if (dayName)
    return same(toText(dayName[3]!, findMonth(dayName[2]!), Number(dayName[1]), text.slice(dayName[0].length)));
  const nameDay = NAME_DAY.exec(text);
  if (nameDay)
    return same(toText(nameDay[3]!, findMonth(nameDay[1]!), Number(nameDay[2]), text.slice(nameDay[0].length)));
  return NO_DATE;
}

const same = (date: string | null): DateReadings => ({ dayFirst: date, monthFirst: date });

const findMonth = (name: string): number => MONTHS.findIndex((month) => month.test(name.toLowerCase())) + 1;

/** Returns `YYYY-MM-DD` with the time, or null if the calendar has no such day. */
function toText(yearText: string, month: number, day: number, rest: string): string | null {
  const year = yearText.length === 2 ? `20${yearText}` : yearText;
  const isLeapYear = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (DAYS[month - 1] ?? 0);
  if (day < 1 || day > days) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}${toTime(rest)}`;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns `THH:MM:SS` with decimals, or nothing without a time. */
function toTime(rest: string): string {
  if (rest === '') return '';
  const [, hourText, minute = '00', second = '00', decimals = '', half] = TIME.exec(rest) ?? [];
  if (hourText === undefined) return '';
  const hour = (Number(hourText) % (half ? 12 : 100)) + (half?.toLowerCase() === 'p' ? 12 : 0);
  return `T${String(hour).padStart(2, '0')}:${minute}:${second}.${decimals.padEnd(9, '0')}`;
}

/** Returns whether a cell is a date in one of its readings. */
export function isDate(cell: string): boolean {
  const { dayFirst, monthFirst } = parseDate(cell);
  return dayFirst !== null || monthFirst !== null;
}

/**
 * Returns the order of day and month that the dates of a column prove: by a day above 12, or since only one order makes
 * the file sorted. Null if both are possible.
 */
export function findDateOrder(dates: readonly DateReadings[]): keyof DateReadings | null {
  const readings = dates.filter(({ dayFirst, monthFirst }) => dayFirst !== null || monthFirst !== null);
  const count = (order: keyof DateReadings): number => readings.filter((reading) => reading[order] !== null).length;
  const difference = count('dayFirst') - count('monthFirst');
  if (difference !== 0) return difference > 0 ? 'dayFirst' : 'monthFirst';
  if (readings.every(({ dayFirst, monthFirst }) => dayFirst === monthFirst)) return 'dayFirst';
  if (readings.length < MIN_SORTED) return null;
  const isDayFirstSorted = isSorted(readings.map(({ dayFirst }) => dayFirst ?? ''));
  const isMonthFirstSorted = isSorted(readings.map(({ monthFirst }) => monthFirst ?? ''));
  if (isDayFirstSorted === isMonthFirstSorted) return null;
  return isDayFirstSorted ? 'dayFirst' : 'monthFirst';
}

/** Fewer dates are sorted by chance too often. */
const MIN_SORTED = 6;

const isSorted = (dates: readonly string[]): boolean =>
  dates.every((date, index) => index === 0 || dates[index - 1]! <= date) ||
  dates.every((date, index) => index === 0 || dates[index - 1]! >= date);
