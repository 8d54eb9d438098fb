import type { Asked } from './context.ts';
import type { OrderResponse } from './contract.ts';
import { reorderItems, selectIds } from './queries.ts';

export type Reordered = { ok: true; items: OrderResponse['items'] } | { ok: false; ids: string[] };

/** Puts the list into the order of `ids`, whole or not at all; otherwise the ids as they stand now. */
export async function reorderWatchlist({ member, sql }: Asked, ids: readonly string[]): Promise<Reordered> {
  try {
    return { ok: true, items: await reorderItems(sql, member.idpId, ids) };
  } catch (error) {
    if ((error as Error).message !== 'order_conflict') throw error;
    return { ok: false, ids: await selectIds(sql, member.idpId) };
  }
}
