import type { ServiceSql } from '../../database/roles.ts';
import { marketCalendar } from '../calendar/market-calendar.ts';
import type { DateRange } from '../providers/port.ts';
import { type FoundReports, upcomingRange } from './list-reports.ts';
import { writeReports } from './upcoming-queries.ts';

interface FillDependencies {
  sql: ServiceSql;
  earnings: (symbols: readonly string[], range: DateRange, options?: { untilDone?: boolean }) => Promise<FoundReports>;
  now: () => Date;
}

/**
 * Writes these companies' reports of the next 90 days into `public.earnings`, in place of the external job that fills
 * it. What a provider could not say stays as it was: `complete` is then false, and asking again helps unless no plan of
 * the keys covers reports (`notCovered`).
 */
export async function fillReports(
  { sql, earnings, now }: FillDependencies,
  companies: readonly string[],
): Promise<Pick<FoundReports, 'complete' | 'notCovered'>> {
  if (companies.length === 0) return { complete: true };
  const range = upcomingRange(marketCalendar.newYorkDate(now()));
  const { reports, answered, complete, notCovered } = await earnings(companies, range, { untilDone: true });
  await writeReports(sql, answered, range, reports);
  return { complete, ...(notCovered && { notCovered }) };
}
