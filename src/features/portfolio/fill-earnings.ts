import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Schedule, TaskName, Tasks } from '../../platform/jobs/task.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';
import { listHeldCompanies } from './queries.ts';

export const FILL_EARNINGS = 'fill-held-earnings' as TaskName<{ symbols?: string[] }>;

interface FillDependencies {
  sql: ServiceSql;
  market: Pick<MarketDataService, 'fillReports'>;
}

/**
 * Has the reports of every held company written, or of the given ones; of those an incomplete answer throws, for the
 * job's next try.
 */
export async function fillEarnings({ sql, market }: FillDependencies, symbols?: readonly string[]): Promise<void> {
  const { complete, notCovered } = await market.fillReports(symbols ?? (await listHeldCompanies(sql)));
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
