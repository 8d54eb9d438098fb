import type { RequestContext } from './context.ts';
import type { Close, ListState, NextReport, WatchlistItem } from './contract.ts';
import type { KnownTier } from './known-tiers.ts';
import { readReportsOf, stateOf } from './list-watchlist.ts';
import { type DayRow, type ListHead, type ListRow, readList } from './queries.ts';
import { type MarketKey, readClosesBySymbol, readClosesOf } from './read-closes.ts';
import { toItem } from './row-to-item.ts';

/**
 * Where a list stands, with one symbol's row where it is on the list; `undefined` where the member's tier names no
 * plan.
 */
interface RowRead {
  head: ListHead;
  state: ListState;
  row: (ListRow & DayRow) | undefined;
}

/** By a `known` tier the member's own is not looked up. */
export async function readRow(
  { member, sql }: RequestContext,
  symbol: string,
  known?: KnownTier,
): Promise<RowRead | undefined> {
  const list = await readList(sql, member.idpId, { rows: { symbol }, known });
  return list && { head: list.head, state: stateOf(list.head), row: list.rows[0] };
}

/** What stands beside a row: its closes as JSON text and its next report. */
interface RowMarket {
  closes: string | null;
  report: NextReport | undefined;
}

/** Never fails: what cannot be read is missing. */
async function readMarketOf(context: RequestContext, row: MarketKey): Promise<RowMarket> {
  const [closes, reports] = await Promise.all([readClosesOf(context.deps, [row]), readReportsOf(context, [row])]);
  return { closes: closes.of(row), report: reports.get(row.symbol) };
}

/** The same before the row is known, told for it afterwards: an add need not wait for the one to ask for the other. */
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

export async function completeItem(context: RequestContext, row: ListRow): Promise<WatchlistItem> {
  return withMarket(row, await readMarketOf(context, row));
}
