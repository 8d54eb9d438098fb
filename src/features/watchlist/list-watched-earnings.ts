import { earningsChip } from '../../market-data/domain/earnings-chip.ts';
import { byDate } from '../../market-data/domain/sort-order.ts';
import { upcomingRange } from '../../market-data/services/earnings/list-reports.ts';
import type { RequestContext } from './context.ts';
import type { WatchedEarnings } from './contract.ts';
import { readByTier } from './need-tier.ts';
import { readList } from './queries.ts';

/**
 * Reports of watched companies from today to 90 days ahead, by date. Stocks only (others do not report); locked rows
 * are left out, so that there is no answer (`undefined`) where the tier cannot be read.
 */
export async function listWatchedEarnings(context: RequestContext): Promise<WatchedEarnings | undefined> {
  const { deps, member, sql } = context;
  const list = await readByTier(context, (known) => readList(sql, member.idpId, { known }));
  if (!list) return undefined;
  const stale = list.tier_stale && { tier_stale: true as const };
  const stocks = new Map(
    list.rows.filter((row) => !row.locked && row.asset_type === 'stock').map((row) => [row.symbol, row]),
  );
  if (stocks.size === 0) return { earnings: [], complete: true, sample_data: false, ...stale };

  const { calendar } = deps.market;
  const today = calendar.newYorkDate(deps.now());
  const range = upcomingRange(today);
  const { reports, complete } = await deps.market.earnings([...stocks.keys()], range);
  const earnings = reports.flatMap((report) => {
    const { symbol, date, sample } = report;
    const row = stocks.get(symbol);
    // A sample report goes with a sample price alone: the card marks the two as one.
    if (!row || (sample && !row.sample) || date < range.from || date > range.to) return [];
    return [{ ...report, name: row.name ?? symbol, held: row.held, watching: true, ...earningsChip(today, date) }];
  });
  earnings.sort(byDate);
  return { earnings, complete, sample_data: earnings.some(({ sample }) => sample), ...stale };
}
