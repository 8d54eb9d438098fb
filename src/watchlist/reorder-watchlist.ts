import type { RequestContext } from './context.ts';
import type { OrderResponse } from './contract.ts';
import { needTier } from './need-tier.ts';
import { type GivenPlan, moveItem, reorderItems, selectIds } from './queries.ts';

type Items = OrderResponse['items'];
type Reordered = { ok: true; items: Items } | { ok: false; reason: 'order_conflict'; ids: string[] };

/** Puts the list into the order of `ids`, whole or not at all; otherwise the ids as they stand now. */
export async function reorderWatchlist(context: RequestContext, ids: readonly string[]): Promise<Reordered> {
  const { member, sql } = context;
  try {
    return { ok: true, items: await withLocks(context, (given) => reorderItems(sql, member.idpId, ids, given)) };
  } catch (error) {
    if ((error as Error).message !== 'order_conflict') throw error;
    return { ok: false, reason: 'order_conflict', ids: await selectIds(sql, member.idpId) };
  }
}

/**
 * Moves one row to a place (past the end: to the last one), whatever else has changed since the member saw the list.
 * None at all where the member has no row of this id.
 */
export const moveInWatchlist = (context: RequestContext, row: { id: string; position: number }): Promise<Items> =>
  withLocks(context, (given) => moveItem(context.sql, context.member.idpId, row, given));

/**
 * A change of the order needs no tier; its answer says by the tier of the last hour which rows are locked, or nothing
 * of it, while the tier cannot be read.
 */
async function withLocks(context: RequestContext, change: (given?: GivenPlan) => Promise<Items>): Promise<Items> {
  const { member, tiers } = context;
  return (await needTier(context, change())) ?? change(tiers.of(member.idpId) ?? { tier: null, watchlist_limit: null });
}
