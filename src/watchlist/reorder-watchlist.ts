import type { RequestContext } from './context.ts';
import type { OrderResponse } from './contract.ts';
import { needTier } from './need-tier.ts';
import { reorderItems, selectIds } from './queries.ts';

type Reordered = { ok: true; items: OrderResponse['items'] } | { ok: false; reason: 'order_conflict'; ids: string[] };

/**
 * Puts the list into the order of `ids`, whole or not at all; otherwise the ids as they stand now. While the tier
 * cannot be read, the answer says by the one of the last hour which rows are locked, or nothing of it.
 */
export async function reorderWatchlist(context: RequestContext, ids: readonly string[]): Promise<Reordered> {
  const { member, sql, tiers } = context;
  try {
    const items =
      (await needTier(context, reorderItems(sql, member.idpId, ids))) ??
      (await reorderItems(sql, member.idpId, ids, tiers.of(member.idpId) ?? { watchlist_limit: null }));
    return { ok: true, items };
  } catch (error) {
    if ((error as Error).message !== 'order_conflict') throw error;
    return { ok: false, reason: 'order_conflict', ids: await selectIds(sql, member.idpId) };
  }
}
