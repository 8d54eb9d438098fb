import type { ServiceSql } from '../../../platform/database/roles.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import { POST_CLOSE_MS } from '../../providers/quota/quote-pacing.ts';
import { writeDayCloses } from './daily-close-queries.ts';

/** Time in ms before the close from which a quote may be the last one of a delayed feed. */
const LAST_QUOTES_WINDOW_MS = 16 * 60_000;

/** Writes the closes of the last closed day from its final prices. Repeatable: equal prices yield equal closes. */
export async function writeDailyCloses(sql: ServiceSql, instant: Date): Promise<number> {
  const day = marketCalendar.getLastClosedDay(instant);
  const { close } = marketCalendar.getTradingHours(day)!;
  if (instant.getTime() < close.getTime() + POST_CLOSE_MS) return 0;
  const until = marketCalendar.getTradingHours(marketCalendar.addMarketDays(day, 1))!.open;
  return writeDayCloses(sql, { day, from: new Date(close.getTime() - LAST_QUOTES_WINDOW_MS), until, close });
}
