import { addDays } from './dates.ts';
import { marketCalendar } from './market-calendar.ts';

/** Chip texts by market days. Seven days hold at most five market days, and a report on a closed day counts one more. */
const CHIPS = ['Today', 'Tmrw', '2d', '3d', '4d', '5d', '6d'] as const;
const WINDOW_DAYS = 7;

/**
 * Returns the market days from today in New York to an earnings report and the text of its chip. A report on a closed
 * day counts to its own day, so that only a report of today has 0. The chip is null beyond seven days.
 */
export function getEarningsChip(
  today: string,
  date: string,
): { market_days: number; chip: (typeof CHIPS)[number] | null } {
  const isOnClosedDay = date > today && !marketCalendar.isMarketDay(date);
  const days = marketCalendar.countMarketDays(today, date) + Number(isOnClosedDay);
  const isSoon = date >= today && date <= addDays(today, WINDOW_DAYS);
  return { market_days: days, chip: isSoon ? (CHIPS[days] ?? null) : null };
}
