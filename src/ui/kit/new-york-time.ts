import { createDateFormat } from './date-format.ts';

const timeZone = 'America/New_York';

const formatClock = createDateFormat({ timeZone, hour: 'numeric', minute: '2-digit' });
const formatShortDay = createDateFormat({ timeZone, month: 'short', day: 'numeric' });
const formatUtcDay = createDateFormat({ timeZone: 'UTC', dateStyle: 'medium' });

/** Formats a time as its day in New York: `2026-11-20`. */
export const formatNewYorkDay = createDateFormat(
  { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
  'en-CA',
);

/** Returns today's date in New York. */
export function getNewYorkToday(): string {
  return formatNewYorkDay(new Date());
}

/** Formats a time of day in New York, with the date if it is not today: `3:45 PM ET`, `Nov 20, 4:00 PM ET`. */
export function formatEastern(at: Date, now = new Date()): string {
  const time = `${formatClock(at)} ET`;
  return formatNewYorkDay(at) === formatNewYorkDay(now) ? time : `${formatShortDay(at)}, ${time}`;
}

/** Formats a calendar day without a time zone (a close, a report): `2026-11-20` → `Nov 20, 2026`. */
export function formatCalendarDay(day: string): string {
  return formatUtcDay(new Date(`${day}T00:00:00Z`));
}

const formatWeekday = createDateFormat({ timeZone: 'UTC', weekday: 'long' });

/** Names a coming day by the market days until it: `today`, `on Monday`, `in 4 market days`. */
export function formatMarketDaysAhead(day: string, marketDays: number): string {
  if (marketDays <= 0) return 'today';
  return marketDays === 1 ? `on ${formatWeekday(new Date(`${day}T00:00:00Z`))}` : `in ${marketDays} market days`;
}

/** Names the day of the latest session: `today`, or its date. Both days are New York's, YYYY-MM-DD. */
export const formatSessionDay = (session: string, today: string): string =>
  session === today ? 'today' : formatCalendarDay(session);
