import type { RequestContext } from './context.ts';
import type { ListState, NextReport, Watchlist } from './contract.ts';
import { readWithStaleTier } from './tier-fallback.ts';
import { type ListHead, type ListRow, readList } from './queries.ts';
import { readClosesByTicker, readNextReports } from './read-market.ts';
import { type ItemWithoutCloses, toWatchlistItem } from './to-watchlist-item.ts';

/** The list, with each row's closes as the JSON text of the database. `closes` is null if a row has no closes. */
export type ListedWatchlist = Omit<Watchlist, 'items'> & { rows: { item: ItemWithoutCloses; closes: string | null }[] };

/**
 * Reads the list in three statements, independent of its length: plan and rows, then closes and next reports
 * concurrently. Only the first can fail the list. Returns undefined if the tier is unavailable or has no plan, and no
 * tier of the last hour is stored.
 */
export async function listWatchlist(context: RequestContext): Promise<ListedWatchlist | undefined> {
  const list = await readListRows(context);
  return list && addMarketData(context, list, readNextReports(context, list.rows));
}

/** Plan and rows of the list. Its tier may be that of the last hour. */
export type ListRows = NonNullable<Awaited<ReturnType<typeof readListRows>>>;

/** Reads plan and rows. Returns undefined as `listWatchlist` does. */
export const readListRows = (context: RequestContext) =>
  readWithStaleTier(context, (cachedPlan) => readList(context.sql, context.member.idpId, { cachedPlan }));

/** Returns the list with closes, which it reads, and the given next report of each symbol. */
export async function addMarketData(
  { deps }: RequestContext,
  list: ListRows,
  nextReports: ReadonlyMap<string, NextReport> | Promise<ReadonlyMap<string, NextReport>>,
): Promise<ListedWatchlist> {
  const [{ history, closes }, reports, status] = await Promise.all([
    readClosesByTicker(deps, list.rows),
    nextReports,
    deps.market.status().catch(() => null),
  ]);
  return {
    ...toListState(list.head),
    ...(list.tier_stale && { tier_stale: true as const }),
    rows: list.rows.map((row) => ({
      item: toWatchlistItem(row, reports.get(row.symbol)),
      closes: closes.get(row.ticker_id) ?? null,
    })),
    market: status && { ...status, newest_price_at: findNewestPriceAt(list.rows) },
    history,
  };
}

/** Returns the list of the demo tour: empty, on the Free tier. */
export function createEmptyFreeList(limit: number): ListedWatchlist {
  return { tier: 'free', limit, item_count: 0, locked_count: 0, rows: [], market: null, history: 'ok' };
}

/**
 * Returns the list as JSON text. Closes are inserted as the database's text. Parsing and serializing 250 × 30 closes
 * took longer than the three statements.
 */
export function serializeWatchlist({ rows, ...head }: ListedWatchlist): string {
  const items = rows.map(({ item, closes }) => {
    const text = JSON.stringify(item);
    return item.locked ? text : `${text.slice(0, -1)},"closes":${closes ?? 'null'}}`;
  });
  return `${JSON.stringify(head).slice(0, -1)},"items":[${items.join(',')}]}`;
}

/** Returns the figures that the response and every event contain. */
export function toListState({ tier, watchlist_limit, item_count }: ListHead): ListState {
  return { tier, limit: watchlist_limit, item_count, locked_count: Math.max(0, item_count - watchlist_limit) };
}

function findNewestPriceAt(rows: readonly ListRow[]): string | null {
  const newest = rows.reduce((latest, { price_at }) => Math.max(latest, price_at?.getTime() ?? 0), 0);
  return newest === 0 ? null : new Date(newest).toISOString();
}
