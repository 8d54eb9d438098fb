import { createDateFormat } from './date-format.ts';

const DAY_MS = 86_400_000;
/** Ticks that fit a wide chart. */
const MAX_TICKS = 7;

/** Mark on the time axis. */
export interface TimeTick {
  /** YYYY-MM-DD. */
  date: string;
  /** Position from 0 (first day of the chart) to 1 (last day). */
  x: number;
  text: string;
  /** Whether a narrow chart omits the tick. */
  isMinor: boolean;
}

/** Returns the position of each date from 0 (first) to 1 (last), in proportion to time. Dates are YYYY-MM-DD. */
export function placeInTime(dates: readonly string[]): number[] {
  const times = dates.map((date) => Date.parse(date));
  const first = times[0]!;
  const span = times.at(-1)! - first;
  return times.map((time) => (span === 0 ? 0 : (time - first) / span));
}

/** Steps between ticks: days that end at the last day, or months counted from January. */
const STEPS = [
  ...[1, 2, 4, 7, 14].map((days) => ({ days, months: 0 })),
  ...[1, 2, 3, 6, 12, 24].map((months) => ({ days: 0, months })),
];

/** Returns ticks at round dates between two days, at the smallest step that fits. */
export function listTimeTicks(first: string, last: string): TimeTick[] {
  const step = STEPS.find((candidate) => listDates(first, last, candidate).length <= MAX_TICKS) ?? STEPS.at(-1)!;
  const dates = listDates(first, last, step);
  const formatDate = getTickFormat(step.months);
  const places = placeInTime([first, ...dates, last]).slice(1, -1);
  return dates.map((date, index) => ({
    date,
    x: places[index]!,
    text: formatDate(new Date(date)),
    // Every second tick, counted back from the last, which always stays.
    isMinor: (dates.length - 1 - index) % 2 === 1 && dates.length > 2,
  }));
}

function getTickFormat(months: number): (at: Date) => string {
  if (months === 0) return formatDayTick;
  return months % 12 === 0 ? formatYearTick : formatMonthTick;
}

/** Returns the dates of a step, ascending. Stops at one more than fits, which shows that the step is too small. */
function listDates(first: string, last: string, { days, months }: (typeof STEPS)[number]): string[] {
  const end = new Date(last);
  const year = end.getUTCFullYear();
  const month = end.getUTCMonth();
  const toDate = (index: number): string =>
    new Date(
      months === 0 ? end.getTime() - index * days * DAY_MS : Date.UTC(year, month - (month % months) - index * months),
    )
      .toISOString()
      .slice(0, 10);
  const dates: string[] = [];
  for (let index = 0; toDate(index) >= first && dates.length <= MAX_TICKS; index += 1) dates.unshift(toDate(index));
  return dates;
}

const formatDayTick = createDateFormat({ timeZone: 'UTC', month: 'short', day: 'numeric' });
const formatMonthTick = createDateFormat({ timeZone: 'UTC', month: 'short', year: 'numeric' });
const formatYearTick = createDateFormat({ timeZone: 'UTC', year: 'numeric' });
