import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { Schedule, TaskName, Tasks } from '../../../platform/jobs/task.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import { listHeldCompanies } from './queries.ts';

export const REFRESH_HELD_EARNINGS = 'refresh-held-earnings' as TaskName<{ symbols?: string[] }>;

interface RefreshDependencies {
  sql: ServiceSql;
  market: Pick<MarketDataService, 'refreshEarnings'>;
}

/**
 * Refreshes the reports of every held company, or of the given ones. With given companies an incomplete response
 * throws, so that the job retries.
 */
export async function refreshHeldEarnings(
  { sql, market }: RefreshDependencies,
  symbols?: readonly string[],
): Promise<void> {
  const { complete, notCovered } = await market.refreshEarnings(symbols ?? (await listHeldCompanies(sql)));
  if (symbols && !complete && !notCovered) throw new Error(`Earnings request failed for ${symbols.join(', ')}.`);
}

export const earningsTasks = (deps: RefreshDependencies): Tasks => ({
  [REFRESH_HELD_EARNINGS]: ({ symbols }: { symbols?: string[] }) => refreshHeldEarnings(deps, symbols),
});

/** Every day before New York's first reports. */
export const earningsSchedules: readonly Schedule[] = [
  { task: REFRESH_HELD_EARNINGS, match: '40 8 * * *', backfillMinutes: 720 },
];
