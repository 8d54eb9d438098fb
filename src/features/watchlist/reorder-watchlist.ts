import type { MemberSql } from '../../platform/database/roles.ts';
import { captureChange } from './capture-event.ts';
import { asMemberAndService, type ChangeContext } from './context.ts';
import type { OrderResponse } from './contract.ts';
import { planOf } from './need-tier.ts';
import { moveItem, reorderItems, selectIds } from './queries.ts';

type Items = OrderResponse['items'];
type Reordered = { ok: true; items: Items } | { ok: false; reason: 'order_conflict'; ids: string[] };

/** Puts the list into the order of `ids`, whole or not at all; otherwise the ids as they stand now. */
export async function reorderWatchlist(context: ChangeContext, ids: readonly string[]): Promise<Reordered> {
  try {
    return { ok: true, items: await changeOrder(context, (sql) => reorderItems(sql, ids)) };
  } catch (error) {
    if ((error as Error).message !== 'order_conflict') throw error;
    return { ok: false, reason: 'order_conflict', ids: await selectIds(context.sql, context.member.idpId) };
  }
}

/**
 * Moves one row to a place (past the end: to the last one), whatever else has changed since the member saw the list.
 * None at all where the member has no row of this id.
 */
export const moveInWatchlist = (context: ChangeContext, row: { id: string; position: number }): Promise<Items> =>
  changeOrder(context, (sql) => moveItem(sql, row.id, row.position));

/** Changes the order as the member, with its event, and says by the plan which rows are locked; null: not known. */
async function changeOrder(
  context: ChangeContext,
  change: (sql: MemberSql) => ReturnType<typeof reorderItems>,
): Promise<Items> {
  const plan = await planOf(context);
  const rows = await asMemberAndService(context, async ({ member, service }) => {
    const changed = await change(member);
    if (changed.length > 0)
      await captureChange(context, service, { event: 'watchlist_reordered', plan, itemCount: changed.length });
    return changed;
  });
  return rows.map((row) => ({ ...row, locked: plan ? row.position > plan.watchlist_limit : null }));
}
