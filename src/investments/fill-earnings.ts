import type { ServiceSql } from '../database/roles.ts';
import type { Schedule, TaskName, Tasks } from '../jobs/task.ts';
import type { MarketDataRoom } from '../market-data/market-data.ts';
import { listHeldCompanies, writeReports } from './earnings-queries.ts';
import { upcomingRange } from './list-earnings.ts';

export const FILL_EARNINGS = 'fill-held-earnings' as TaskName<{ symbols?: string[] }>;

export interface FillDependencies {
  sql: ServiceSql;
  market: Pick<MarketDataRoom, 'earnings' | 'calendar'>;
  now: () => Date;
}

/**
 * Stands in for the external job that fills `public.earnings`: reports of the next 90 days of every held company, or of the given ones.
 * What a provider could not say stays as it was; of given companies it is asked for again, by the job's next try.
 */
export async function fillEarnings({ sql, market, now }: FillDependencies, symbols?: readonly string[]): Promise<void> {
  const companies = symbols ?? (await listHeldCompanies(sql));
  if (companies.length === 0) return;
  const range = upcomingRange(market.calendar.newYorkDate(now()));
  const { reports, answered, complete, notCovered } = await market.earnings(companies, range, { patient: true });
  await writeReports(sql, answered, range, reports);
  if (symbols && !complete && !notCovered)
    throw new Error(`the reports of ${symbols.join(', ')} could not be asked for now`);
}

export const earningsTasks = (deps: FillDependencies): Tasks => ({
  [FILL_EARNINGS]: ({ symbols }: { symbols?: string[] }) => fillEarnings(deps, symbols),
});

/** Before New York's first reports of a day, every day. */
export const earningsSchedules: readonly Schedule[] = [
  { task: FILL_EARNINGS, match: '40 8 * * *', backfillMinutes: 720 },
];
