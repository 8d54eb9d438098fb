import type { RequestContext } from './context.ts';
import { readRow } from './queries.ts';
import { readWithStaleTier } from './tier-fallback.ts';

/** Whether a symbol is on the member's list, and whether the plan covers its row. */
export type WatchState = 'watched' | 'locked' | 'unwatched' | 'unavailable';

/**
 * Returns the state of a symbol of the catalog. The lock depends on the tier, which is never guessed: without the
 * current tier or that of the last hour the state is `unavailable`, as it is if the list cannot be read.
 */
export async function getWatchState(context: RequestContext, symbol: string): Promise<WatchState> {
  const { deps, member, sql } = context;
  try {
    const result = await readWithStaleTier(context, (cachedPlan) => readRow(sql, member.idpId, symbol, { cachedPlan }));
    if (!result) return 'unavailable';
    if (!result.row) return 'unwatched';
    return result.row.locked ? 'locked' : 'watched';
  } catch (error) {
    deps.logger.warn({ err: error }, 'watchlist unavailable; state of a symbol unknown');
    return 'unavailable';
  }
}
