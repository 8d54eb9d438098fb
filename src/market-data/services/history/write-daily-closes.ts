import type { ServiceSql } from '../../../platform/database/roles.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import { SETTLING_MS } from '../../providers/quota/pace-quotes.ts';
import { writeClosesOfDay } from './daily-close-queries.ts';

/** Quotes from so long before the close may be the last ones that a delayed feed brings. */
const LAST_QUOTES_MS = 16 * 60_000;

/** Turns the last closed day's final prices into its closes. Repeatable: the same prices make the same closes. */
export async function writeDailyCloses(sql: ServiceSql, instant: Date): Promise<number> {
  const day = marketCalendar.lastClosedDay(instant);
  const { close } = marketCalendar.hoursOf(day)!;
  if (instant.getTime() < close.getTime() + SETTLING_MS) return 0;
  const until = marketCalendar.hoursOf(marketCalendar.addMarketDays(day, 1))!.open;
  return writeClosesOfDay(sql, { day, from: new Date(close.getTime() - LAST_QUOTES_MS), until, close });
}
