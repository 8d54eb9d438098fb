import { createDateFormat } from '../../../../../ui/kit/date-format.ts';
import { formatMarketDaysAhead } from '../../../../../ui/kit/new-york-time.ts';
import type { Report } from '../../contract.ts';

const formatMonth = createDateFormat({ timeZone: 'UTC', month: 'short' });

/** Splits a calendar date: `2026-11-24` → `Nov`, `24`. */
export function splitDate(date: string): { month: string; day: string } {
  return { month: formatMonth(new Date(`${date}T00:00:00Z`)), day: String(Number(date.slice(8))) };
}

/**
 * Formats the time of a report as precisely as it is known: `Today, after close`, `On Monday`, `Before open`, `In 4
 * market days`. A time of day is enough beside the date of a later day.
 */
export function formatReportTime({
  date,
  market_days: days,
  when,
}: Pick<Report, 'date' | 'market_days' | 'when'>): string {
  const timeOfDay = when && timesOfDay[when];
  const day = days > 1 && timeOfDay ? null : formatMarketDaysAhead(date, days);
  return [day, timeOfDay]
    .filter(Boolean)
    .join(', ')
    .replace(/^./, (first) => first.toUpperCase());
}

const timesOfDay = { bmo: 'before open', amc: 'after close' } as const;
