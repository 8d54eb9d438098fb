import type { MemberSql } from '../../platform/database/roles.ts';
import { captureChange } from './capture-event.ts';
import { runAsMemberAndService, type ChangeContext } from './context.ts';
import type { OrderResponse } from './contract.ts';
import { readPlanOrStale } from './tier-fallback.ts';
import { isOrderConflict, moveItem, reorderItems, selectIds } from './queries.ts';

type OrderedItems = OrderResponse['items'];
type ReorderResult = { ok: true; items: OrderedItems } | { ok: false; reason: 'order_conflict'; ids: string[] };

/** Stores the order of `ids` completely or not at all. If the ids do not match the list, returns the current ids. */
export async function reorderWatchlist(context: ChangeContext, ids: readonly string[]): Promise<ReorderResult> {
  try {
    return { ok: true, items: await changeOrder(context, (sql) => reorderItems(sql, ids)) };
  } catch (error) {
    if (!isOrderConflict(error)) throw error;
    return { ok: false, reason: 'order_conflict', ids: await selectIds(context.sql, context.member.idpId) };
  }
}

/**
 * Moves one row to a position, at most the last one, independent of other changes since the member read the list.
 * Returns no items if the member has no row with this id.
 */
export const moveInWatchlist = (context: ChangeContext, row: { id: string; position: number }): Promise<OrderedItems> =>
  changeOrder(context, (sql) => moveItem(sql, row.id, row.position));

/**
 * Changes the order with the member's rights, captures the event, and returns the locked state of each row by the plan.
 * `locked` is null if the plan is unavailable.
 */
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
