import { marketCalendar } from '../../domain/market-calendar.ts';

/**
 * How much of a day's calls quotes may have used by an hour of a market day (UTC): in the night the evening's prices of
 * the day before (funds first); over the session the rising part; once a delayed feed has the last prices, one for each
 * close.
 */
const BY = { evening: 0.1, open: 0.15, close: 0.5, end: 0.7 } as const;

/** One refresh, which may go ahead of its time. */
const TICK_MS = 15 * 60_000;

/** After the close the last prices of the day still come in for this long. */
export const SETTLING_MS = 35 * 60_000;
/** On a day without a session the evening's prices of the day before are there by then (UTC). */
const EVENING_MS = 60 * 60_000;

/** When quotes have had their part of a day's calls (UTC): after its session, or after the evening before. */
export function quotesDoneAt(now: Date): Date {
  const day = now.toISOString().slice(0, 10);
  const hours = marketCalendar.hoursOf(day);
  return new Date(hours ? hours.close.getTime() + SETTLING_MS : Date.parse(day) + EVENING_MS);
}

/** The share of a day's calls that quotes may have used by now; the rest is for all other calls. */
export function quotesShare(now: Date): number {
  const day = now.toISOString().slice(0, 10);
  const hours = marketCalendar.hoursOf(day);
  if (!hours) return BY.end;
  const [time, open, close] = [now.getTime(), hours.open.getTime(), hours.close.getTime()];
  if (time >= close + TICK_MS) return BY.end;
  if (time < open) return between(BY.evening, BY.open, (time - Date.parse(day)) / (open - Date.parse(day)));
  return between(BY.open, BY.close, Math.min(1, (time - open + TICK_MS) / (close - open)));
}

const between = (from: number, to: number, part: number): number => from + (to - from) * part;
