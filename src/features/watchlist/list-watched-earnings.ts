import { getEarningsChip } from '../../market-data/domain/earnings-chip.ts';
import { compareByDate } from '../../market-data/domain/comparators.ts';
import { getUpcomingRange } from '../../market-data/services/earnings/list-reports.ts';
import type { RequestContext } from './context.ts';
import type { WatchedEarnings } from './contract.ts';
import { readWithStaleTier } from './tier-fallback.ts';
import { readList } from './queries.ts';

/**
 * Returns the reports of watched companies from today to 90 days ahead, by date. Only stocks report. Locked rows are
 * omitted, so the function returns undefined if the tier is unavailable.
 */
export async function listWatchedEarnings(context: RequestContext): Promise<WatchedEarnings | undefined> {
  const { deps, member, sql } = context;
  const list = await readWithStaleTier(context, (cachedPlan) => readList(sql, member.idpId, { cachedPlan }));
  if (!list) return undefined;
  const staleFlag = list.tier_stale && { tier_stale: true as const };
  const stockBySymbol = new Map(
    list.rows.filter((row) => !row.locked && row.asset_type === 'stock').map((row) => [row.symbol, row]),
  );
  if (stockBySymbol.size === 0) return { earnings: [], complete: true, sample_data: false, ...staleFlag };

  const { calendar } = deps.market;
  const today = calendar.toNewYorkDate(deps.now());
  const range = getUpcomingRange(today);
  const { reports, complete } = await deps.market.earnings([...stockBySymbol.keys()], range);
  const earnings = reports.flatMap((report) => {
    const { symbol, date, sample } = report;
    const row = stockBySymbol.get(symbol);
    // A sample report is shown only with a sample price, because the card marks both together.
    if (!row || (sample && !row.sample) || date < range.from || date > range.to) return [];
    return [{ ...report, name: row.name ?? symbol, held: row.held, watching: true, ...getEarningsChip(today, date) }];
  });
  earnings.sort(compareByDate);
  return { earnings, complete, sample_data: earnings.some(({ sample }) => sample), ...staleFlag };
}
