import { captureChange } from './capture-event.ts';
import { runAsMemberAndService, type ChangeContext } from './context.ts';
import { readPlanOrStale } from './tier-fallback.ts';
import { countItems, removeItem } from './queries.ts';

/** Removes one of the member's rows. Returns false if the id does not exist. */
export async function removeFromWatchlist(context: ChangeContext, id: string): Promise<boolean> {
  const plan = await readPlanOrStale(context);
  return runAsMemberAndService(context, async ({ member, service }) => {
    const symbol = await removeItem(member, id);
    if (symbol === null) return false;
    const itemCount = await countItems(member, context.member.idpId);
    await captureChange(context, service, {
      event: 'watchlist_symbol_removed',
      eventProperties: { symbol },
      plan,
      itemCount,
    });
    return true;
  });
}
