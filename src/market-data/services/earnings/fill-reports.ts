import type { ServiceSql } from '../../../platform/database/roles.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import { type FetchedAnswers, upcomingRange } from './list-reports.ts';
import { writeReports } from './upcoming-queries.ts';

interface FillDependencies {
  sql: ServiceSql;
  fetch: (symbols: readonly string[]) => Promise<FetchedAnswers>;
  now: () => Date;
}

/**
 * Writes these companies' reports of the next 90 days into `public.earnings`, in place of the external job that fills
 * it. What a provider could not say stays as it was: `complete` is then false, and asking again helps unless no plan of
 * the keys covers reports (`notCovered`).
 */
export async function fillReports(
  { sql, fetch, now }: FillDependencies,
  companies: readonly string[],
): Promise<Omit<FetchedAnswers, 'fetched'>> {
  if (companies.length === 0) return { complete: true, notCovered: false };
  const range = upcomingRange(marketCalendar.newYorkDate(now()));
  const { fetched, ...outcome } = await fetch(companies);
  await writeReports(sql, fetched, range);
  return outcome;
}
