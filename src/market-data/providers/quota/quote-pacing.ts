import { marketCalendar } from '../../domain/market-calendar.ts';

/**
 * How much of a day's calls quotes may have used by an hour of a market day (UTC): in the night the evening's prices of
 * the day before (funds first); over the session the rising part; once a delayed feed has the last prices, one for each
 * close.
 */
const QUOTE_SHARE_BY_PHASE = { evening: 0.1, open: 0.15, close: 0.5, end: 0.7 } as const;

/** One refresh, which may go ahead of its time. */
const REFRESH_INTERVAL_MS = 15 * 60_000;

/** After the close the last prices of the day still come in for this long. */
export const POST_CLOSE_MS = 35 * 60_000;
/** On a day without a session the evening's prices of the day before are there by then (UTC). */
const EVENING_PRICES_MS = 60 * 60_000;

/** When quotes have had their part of a day's calls (UTC): after its session, or after the evening before. */
export function getQuotesDoneAt(now: Date): Date {
  const day = now.toISOString().slice(0, 10);
  const hours = marketCalendar.getTradingHours(day);
  return new Date(hours ? hours.close.getTime() + POST_CLOSE_MS : Date.parse(day) + EVENING_PRICES_MS);
}

/** The share of a day's calls that quotes may have used by now; the rest is for all other calls. */
export function getQuoteShare(now: Date): number {
  const day = now.toISOString().slice(0, 10);
  const hours = marketCalendar.getTradingHours(day);
  if (!hours) return QUOTE_SHARE_BY_PHASE.end;
  const [time, open, close] = [now.getTime(), hours.open.getTime(), hours.close.getTime()];
  if (time >= close + REFRESH_INTERVAL_MS) return QUOTE_SHARE_BY_PHASE.end;
  if (time < open)
    return interpolate(
      QUOTE_SHARE_BY_PHASE.evening,
      QUOTE_SHARE_BY_PHASE.open,
      (time - Date.parse(day)) / (open - Date.parse(day)),
    );
  return interpolate(
    QUOTE_SHARE_BY_PHASE.open,
    QUOTE_SHARE_BY_PHASE.close,
    Math.min(1, (time - open + REFRESH_INTERVAL_MS) / (close - open)),
  );
}

const interpolate = (from: number, to: number, fraction: number): number => from + (to - from) * fraction;
