import type { RequestContext } from './context.ts';
import type { Close, NextReport, WatchlistItem } from './contract.ts';
import type { KnownTier } from './known-tiers.ts';
import { readReportsOf } from './list-watchlist.ts';
import { type ListRow, readList } from './queries.ts';
import { type MarketKey, readClosesBySymbol, readClosesOf } from './read-closes.ts';
import { toItem } from './row-to-item.ts';

/**
 * Where a list stands, with one symbol's row where it is on the list; `undefined` where the member's tier names no
 * plan. By a `known` tier the member's own is not looked up.
 */
export async function readRow({ member, sql }: RequestContext, symbol: string, known?: KnownTier) {
  const list = await readList(sql, member.idpId, { rows: { symbol }, known });
  return list && { head: list.head, row: list.rows[0] };
}

/** What stands beside a row: its closes as JSON text and its next report. */
interface RowMarket {
  closes: string | null;
  report: NextReport | undefined;
}

/** Reads it before the row is known, and tells it for the row afterwards: an add need not wait for the one to ask for
 * the other. */
export async function readMarketBySymbol(
  context: RequestContext,
  symbol: string,
): Promise<(row: MarketKey) => RowMarket> {
  const reading = [
    readClosesBySymbol(context.deps, symbol),
    readReportsOf(context, [{ symbol, asset_type: 'stock', locked: false }]),
  ] as const;
  const [closes, reports] = await Promise.all(reading);
  return (row) => ({ closes: closes.of(row), report: row.asset_type === 'stock' ? reports.get(symbol) : undefined });
}

/** A row as the list shows it. */
export function withMarket(row: ListRow, { closes, report }: RowMarket): WatchlistItem {
  const item = toItem(row, report);
  return item.locked ? item : { ...item, closes: JSON.parse(closes ?? 'null') as Close[] | null };
}

/** The same of a row whose closes and report are not read yet. Never fails: what cannot be read is missing. */
export async function completeItem(context: RequestContext, row: ListRow): Promise<WatchlistItem> {
  const [closes, reports] = await Promise.all([readClosesOf(context.deps, [row]), readReportsOf(context, [row])]);
  return withMarket(row, { closes: closes.of(row), report: reports.get(row.symbol) });
}
