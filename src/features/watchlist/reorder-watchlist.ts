import type { MemberSql } from '../../platform/database/roles.ts';
import { captureChange } from './capture-event.ts';
import { runAsMemberAndService, type ChangeContext } from './context.ts';
import type { OrderResponse } from './contract.ts';
import { readPlanOrStale } from './tier-fallback.ts';
import { moveItem, reorderItems, selectIds } from './queries.ts';

type OrderedItems = OrderResponse['items'];
type ReorderResult = { ok: true; items: OrderedItems } | { ok: false; reason: 'order_conflict'; ids: string[] };

/** Puts the list into the order of `ids`, whole or not at all; otherwise the ids as they stand now. */
export async function reorderWatchlist(context: ChangeContext, ids: readonly string[]): Promise<ReorderResult> {
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
export const moveInWatchlist = (context: ChangeContext, row: { id: string; position: number }): Promise<OrderedItems> =>
  changeOrder(context, (sql) => moveItem(sql, row.id, row.position));

/** Changes the order as the member, with its event, and says by the plan which rows are locked; null: not known. */
async function changeOrder(
  context: ChangeContext,
  change: (sql: MemberSql) => ReturnType<typeof reorderItems>,
): Promise<OrderedItems> {
  const plan = await readPlanOrStale(context);
  const rows = await runAsMemberAndService(context, async ({ member, service }) => {
    const changed = await change(member);
    if (changed.length > 0)
      await captureChange(context, service, { event: 'watchlist_reordered', plan, itemCount: changed.length });
    return changed;
  });
  return rows.map((row) => ({ ...row, locked: plan ? row.position > plan.watchlist_limit : null }));
}
