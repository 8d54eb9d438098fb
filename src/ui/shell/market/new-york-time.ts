import { createDateFormat } from '../../kit/formats.ts';

const timeZone = 'America/New_York';

const formatClock = createDateFormat({ timeZone, hour: 'numeric', minute: '2-digit' });
const formatShortDay = createDateFormat({ timeZone, month: 'short', day: 'numeric' });
const formatUtcDay = createDateFormat({ timeZone: 'UTC', dateStyle: 'medium' });

/** The day in New York at a moment, as `2026-11-20`. */
export const formatNewYorkDay = createDateFormat(
  { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
  'en-CA',
);

/** The day that it is in New York now. */
export function getNewYorkToday(): string {
  return formatNewYorkDay(new Date());
}

/** A moment's time of day in New York, with the date where that is not today's: `3:45 PM ET`, `Nov 20, 4:00 PM ET`. */
export function formatEastern(at: Date, now = new Date()): string {
  const time = `${formatClock(at)} ET`;
  return formatNewYorkDay(at) === formatNewYorkDay(now) ? time : `${formatShortDay(at)}, ${time}`;
}

/** A calendar day in no reader's time zone (a close, a report): `2026-11-20` → `Nov 20, 2026`. */
export function formatCalendarDay(day: string): string {
  return formatUtcDay(new Date(`${day}T00:00:00Z`));
}
