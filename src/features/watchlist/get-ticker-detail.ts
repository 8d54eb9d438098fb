import { resolveSymbol } from '../../market-data/services/catalog/catalog-spelling.ts';
import { computeChartRanges, computeRangeStarts } from '../../market-data/domain/chart-ranges.ts';
import { readDailyCloses } from '../../market-data/services/history/history-queries.ts';
import type { RequestContext } from './context.ts';
import type { Close, TickerDetail } from './contract.ts';
import { readWithStaleTier } from './tier-fallback.ts';
import { readRow } from './queries.ts';
import { readOptional, readNextReports } from './read-market.ts';
import { hasPriceHistory, toWatchlistItem } from './to-watchlist-item.ts';

/** The detail, and whether its one-year history has so many gaps that a backfill is needed. */
export type TickerDetailResult =
  | { ok: true; detail: TickerDetail; needsBackfill: boolean }
  /** `not_shown`: the symbol is not on the caller's list, or is locked. Callers cannot distinguish the two cases. */
  | { ok: false; reason: 'not_shown' | 'tier_unavailable' };

/**
 * Returns one watched symbol in full. The lock depends on the tier, which is never guessed: the current tier, or the
 * tier of the last hour.
 */
export async function getTickerDetail(context: RequestContext, text: string): Promise<TickerDetailResult> {
  const { deps, member, sql } = context;
  const symbol = await resolveSymbol(sql, text);
  // An invalid symbol is on no list, on any plan.
  if (symbol === undefined) return { ok: false, reason: 'not_shown' };
  const rowResult = await readWithStaleTier(context, (cachedPlan) =>
    readRow(sql, member.idpId, symbol, { cachedPlan }),
  );
  if (!rowResult) return { ok: false, reason: 'tier_unavailable' };
  const { row } = rowResult;
  if (!row || row.locked) return { ok: false, reason: 'not_shown' };

  const today = deps.market.calendar.toNewYorkDate(deps.now());
  const yearAgo = computeRangeStarts(today)['1Y'];
  const [yearHistory, reports, positions] = await Promise.all([
    hasPriceHistory(row) ? readYearOfCloses(context, row.ticker_id, yearAgo) : { history: 'ok' as const, closes: [] },
    readNextReports(context, [row]),
    deps.listPositions(member, row.symbol),
  ]);
  const item = toWatchlistItem(row, reports.get(row.symbol));
  if (item.locked) return { ok: false, reason: 'not_shown' };
  const closes = yearHistory.closes.map(([, close]) => close);
  const ranges = computeChartRanges(yearHistory.closes, today, deps.market.calendar);
  return {
    ok: true,
    needsBackfill: hasPriceHistory(row) && yearHistory.history === 'ok' && ranges['1Y'] === undefined,
    detail: {
      ...item,
      ...(rowResult.tier_stale && { tier_stale: true as const }),
      closes: yearHistory.closes.length > 0 ? yearHistory.closes.slice(-30) : null,
      open: row.open,
      day_low: row.day_low,
      day_high: row.day_high,
      low_52w: closes.length > 0 ? Math.min(...closes) : null,
      high_52w: closes.length > 0 ? Math.max(...closes) : null,
      ranges,
      positions,
      history: yearHistory.history,
    },
  };
}

async function readYearOfCloses(
  { deps }: RequestContext,
  tickerId: number,
  from: string,
): Promise<{ history: 'ok' | 'unavailable'; closes: Close[] }> {
  const pendingCloses = readDailyCloses(deps.database.marketReads, tickerId, from);
  const rows = await readOptional(deps, pendingCloses, 'price history unavailable; returning detail without charts');
  return rows
    ? { history: 'ok', closes: rows.map(({ date, close }) => [date, close]) }
    : { history: 'unavailable', closes: [] };
}
