import { captureChange } from './capture-event.ts';
import { runAsMemberAndService, type ChangeContext } from './context.ts';
import { readPlanOrStale } from './tier-fallback.ts';
import { removeItem } from './queries.ts';

/** Removes one of the member's rows. Returns false if the id does not exist. */
export async function removeFromWatchlist(context: ChangeContext, id: string): Promise<boolean> {
  const plan = await readPlanOrStale(context);
  return runAsMemberAndService(context, async ({ member, service }) => {
    const removed = await removeItem(member, id);
    if (!removed) return false;
    await captureChange(context, service, {
      event: 'watchlist_symbol_removed',
      eventProperties: { symbol: removed.symbol },
      plan,
      itemCount: removed.item_count,
    });
    return true;
  });
}
