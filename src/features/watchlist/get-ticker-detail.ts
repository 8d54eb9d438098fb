import { readSymbol } from '../../market-data/services/catalog/catalog-spelling.ts';
import { chartRanges, rangeStarts } from './chart-ranges.ts';
import type { RequestContext } from './context.ts';
import type { Close, TickerDetail } from './contract.ts';
import { readByTier } from './need-tier.ts';
import { readDailyCloses, readRow } from './queries.ts';
import { orWithout, readReportsOf } from './read-market.ts';
import { hasCandles, toItem } from './row-to-item.ts';

/** The detail, and whether its year of history is so thin that a backfill should be asked for. */
export type DetailRead =
  | { ok: true; detail: TickerDetail; thin: boolean }
  /** `not_shown`: it is not on the caller's list, or locked; both look the same from outside. */
  | { ok: false; reason: 'not_shown' | 'tier_unavailable' };

/**
 * One watched symbol in full. Whether it is locked depends on the tier, which is never guessed: it is today's, or that
 * of the last hour.
 */
export async function getTickerDetail(context: RequestContext, text: string): Promise<DetailRead> {
  const { deps, member, sql } = context;
  const symbol = await readSymbol(sql, text);
  // What is no symbol is on no list, on whatever plan.
  if (symbol === undefined) return { ok: false, reason: 'not_shown' };
  const read = await readByTier(context, (known) => readRow(sql, member.idpId, symbol, { known }));
  if (!read) return { ok: false, reason: 'tier_unavailable' };
  const { row } = read;
  if (!row || row.locked) return { ok: false, reason: 'not_shown' };

  const today = deps.market.calendar.newYorkDate(deps.now());
  const yearAgo = rangeStarts(today)['1Y'];
  const [year, reports, positions] = await Promise.all([
    hasCandles(row) ? readYear(context, row.ticker_id, yearAgo) : { history: 'ok' as const, closes: [] },
    readReportsOf(context, [row]),
    deps.positionsOf(member, row.symbol),
  ]);
  const item = toItem(row, reports.get(row.symbol));
  if (item.locked) return { ok: false, reason: 'not_shown' };
  const closes = year.closes.map(([, close]) => close);
  const ranges = chartRanges(year.closes, today, deps.market.calendar);
  return {
    ok: true,
    thin: hasCandles(row) && year.history === 'ok' && ranges['1Y'] === undefined,
    detail: {
      ...item,
      ...(read.tier_stale && { tier_stale: true as const }),
      closes: year.closes.length > 0 ? year.closes.slice(-30) : null,
      open: row.open,
      day_low: row.day_low,
      day_high: row.day_high,
      low_52w: closes.length > 0 ? Math.min(...closes) : null,
      high_52w: closes.length > 0 ? Math.max(...closes) : null,
      ranges,
      positions,
      history: year.history,
    },
  };
}

async function readYear(
  { deps }: RequestContext,
  tickerId: number,
  from: string,
): Promise<{ history: 'ok' | 'unavailable'; closes: Close[] }> {
  const reading = readDailyCloses(deps.database.optional, tickerId, from);
  const rows = await orWithout(deps, reading, 'price history could not be read; the detail goes without charts');
  return rows
    ? { history: 'ok', closes: rows.map(({ date, close }) => [date, close]) }
    : { history: 'unavailable', closes: [] };
}
