import type { ServiceSql } from '../../../platform/database/roles.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import { POST_CLOSE_MS } from '../../providers/quota/quote-pacing.ts';
import { writeDayCloses } from './daily-close-queries.ts';

/** Quotes from so long before the close may be the last ones that a delayed feed brings. */
const LAST_QUOTES_WINDOW_MS = 16 * 60_000;

/** Turns the last closed day's final prices into its closes. Repeatable: the same prices make the same closes. */
export async function writeDailyCloses(sql: ServiceSql, instant: Date): Promise<number> {
  const day = marketCalendar.getLastClosedDay(instant);
  const { close } = marketCalendar.getTradingHours(day)!;
  if (instant.getTime() < close.getTime() + POST_CLOSE_MS) return 0;
  const until = marketCalendar.getTradingHours(marketCalendar.addMarketDays(day, 1))!.open;
  return writeDayCloses(sql, { day, from: new Date(close.getTime() - LAST_QUOTES_WINDOW_MS), until, close });
}
