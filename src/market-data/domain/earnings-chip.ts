import { addDays } from './dates.ts';
import { marketCalendar } from './market-calendar.ts';

/** Chip texts by market days. Seven days hold at most five market days. */
const CHIPS = ['Today', 'Tmrw', '2d', '3d', '4d', '5d'] as const;
const WINDOW_DAYS = 7;

/**
 * Returns the market days from today in New York to an earnings report and the text of its chip. The chip is null
 * beyond seven days.
 */
export function getEarningsChip(
  today: string,
  date: string,
): { market_days: number; chip: (typeof CHIPS)[number] | null } {
  const days = marketCalendar.countMarketDays(today, date);
  const isSoon = date >= today && date <= addDays(today, WINDOW_DAYS);
  return { market_days: days, chip: isSoon ? (CHIPS[days] ?? null) : null };
}
