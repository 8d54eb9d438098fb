import { createDateFormat } from '../../../../../ui/kit/date-format.ts';
import type { Report } from '../../contract.ts';

const formatMonth = createDateFormat({ timeZone: 'UTC', month: 'short' });

/** Splits a calendar date: `2026-11-24` → `Nov`, `24`. */
export function splitDate(date: string): { month: string; day: string } {
  return { month: formatMonth(new Date(`${date}T00:00:00Z`)), day: String(Number(date.slice(8))) };
}

/**
 * Formats the time of a report as precisely as it is known: `Today, after close`, `Tomorrow`, `Before open`, `in 4
 * market days`.
 */
export function formatReportTime({ market_days: days, when }: Pick<Report, 'market_days' | 'when'>): string {
  const closeTime = when === 'amc' ? 'after close' : null;
  const timeOfDay = when === 'bmo' ? 'before open' : closeTime;
  if (days <= 1) return [days <= 0 ? 'Today' : 'Next market day', timeOfDay].filter(Boolean).join(', ');
  return timeOfDay === null ? `in ${days} market days` : timeOfDay.replace(/^./, (first) => first.toUpperCase());
}
