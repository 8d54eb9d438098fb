import type { ServiceSql } from '../../../platform/database/roles.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import { COMPLETE, type FetchOutcome } from './fetch-by-symbol.ts';
import { type FetchedResult, getUpcomingRange } from './list-reports.ts';
import { writeReports } from './upcoming-queries.ts';

interface RefreshEarningsDependencies {
  sql: ServiceSql;
  fetch: (symbols: readonly string[]) => Promise<FetchedResult>;
  now: () => Date;
}

/**
 * Writes the reports of these companies for the next 90 days into `public.earnings`, in place of the external job that
 * fills it. If a provider fails, the stored reports stay and `complete` is false. A retry then helps, unless no plan of
 * the keys covers reports (`notCovered`).
 */
export async function refreshEarnings(
  { sql, fetch, now }: RefreshEarningsDependencies,
  companies: readonly string[],
): Promise<FetchOutcome> {
  if (companies.length === 0) return COMPLETE;
  const range = getUpcomingRange(marketCalendar.toNewYorkDate(now()));
  const { fetched, ...outcome } = await fetch(companies);
  await writeReports(sql, fetched, range);
  return outcome;
}
