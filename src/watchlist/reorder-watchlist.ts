import type { RequestContext } from './context.ts';
import type { OrderResponse } from './contract.ts';
import { needTier } from './need-tier.ts';
import { reorderItems, selectIds } from './queries.ts';

type Reordered =
  | { ok: true; items: OrderResponse['items'] }
  | { ok: false; reason: 'order_conflict'; ids: string[] }
  | { ok: false; reason: 'tier_unavailable' };

/**
 * Puts the list into the order of `ids`, whole or not at all; otherwise the ids as they stand now. The answer says
 * which rows are locked, so that nothing is moved either where the tier cannot be read.
 */
export async function reorderWatchlist(context: RequestContext, ids: readonly string[]): Promise<Reordered> {
  const { member, sql } = context;
  try {
    const items = await needTier(context, reorderItems(sql, member.idpId, ids));
    return items ? { ok: true, items } : { ok: false, reason: 'tier_unavailable' };
  } catch (error) {
    if ((error as Error).message !== 'order_conflict') throw error;
    return { ok: false, reason: 'order_conflict', ids: await selectIds(sql, member.idpId) };
  }
}
