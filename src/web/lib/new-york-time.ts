import { madeOnce } from './made-once.ts';

const clock = madeOnce(
  () => new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric', minute: '2-digit' }),
);
const short = madeOnce(
  () => new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', month: 'short', day: 'numeric' }),
);
const iso = madeOnce(
  () =>
    new Intl.DateTimeFormat('en-CA', {
      timeZone: 'America/New_York',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
);
const plainDay = madeOnce(() => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' }));

/** The day in New York at a moment, as `2026-11-20`. */
export function newYorkDay(at: Date): string {
  return iso().format(at);
}

/** The day that it is in New York now. */
export function newYorkToday(): string {
  return newYorkDay(new Date());
}

/** A moment's time of day in New York, with the date where that is not today's: `3:45 PM ET`, `Nov 20, 4:00 PM ET`. */
export function formatEastern(at: Date, now = new Date()): string {
  const time = `${clock().format(at)} ET`;
  return newYorkDay(at) === newYorkDay(now) ? time : `${short().format(at)}, ${time}`;
}

/** A calendar day in no reader's time zone (a close, a report): `2026-11-20` → `Nov 20, 2026`. */
export function formatCalendarDay(day: string): string {
  return plainDay().format(new Date(`${day}T00:00:00Z`));
}
