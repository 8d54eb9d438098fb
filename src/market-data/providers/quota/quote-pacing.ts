import { marketCalendar } from '../../domain/market-calendar.ts';

/**
 * Share of a day's calls (UTC) that quotes may have used by phase. `evening`: prices of the evening before, funds
 * first. `open` to `close`: rises during the session. `end`: last prices of a delayed feed, one per close.
 */
const QUOTE_SHARE_BY_PHASE = { evening: 0.1, open: 0.15, close: 0.5, end: 0.7 } as const;

/** Interval of refreshes in ms. A refresh may run this much ahead. */
const REFRESH_INTERVAL_MS = 15 * 60_000;

/** Time in ms after the close in which the last prices of the day are still published. */
export const POST_CLOSE_MS = 35 * 60_000;
/** Time in ms after midnight UTC by which the prices of the evening before are fetched, on a day without a session. */
const EVENING_PRICES_MS = 60 * 60_000;

/** Returns when quotes have had their share of a day's calls (UTC): after the session, or after the evening before. */
export function getQuotesDoneAt(now: Date): Date {
  const day = now.toISOString().slice(0, 10);
  const hours = marketCalendar.getTradingHours(day);
  return new Date(hours ? hours.close.getTime() + POST_CLOSE_MS : Date.parse(day) + EVENING_PRICES_MS);
}

/** Returns the share of a day's calls that quotes may have used by now. The rest is for all other calls. */
export function getQuoteShare(now: Date): number {
  const day = now.toISOString().slice(0, 10);
  const hours = marketCalendar.getTradingHours(day);
  if (!hours) return QUOTE_SHARE_BY_PHASE.end;
  const time = now.getTime();
  const open = hours.open.getTime();
  const close = hours.close.getTime();
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
