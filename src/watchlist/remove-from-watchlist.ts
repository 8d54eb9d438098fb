import { captureChange } from './capture-event.ts';
import { asMemberAndService, type ChangeContext } from './context.ts';
import { planOf } from './need-tier.ts';
import { removeItem } from './queries.ts';

/** Removes one of the member's rows; false where there is none of this id. */
export async function removeFromWatchlist(context: ChangeContext, id: string): Promise<boolean> {
  const plan = await planOf(context);
  return asMemberAndService(context, async ({ member, service }) => {
    const symbol = await removeItem(member, id);
    if (symbol === null) return false;
    await captureChange(context, service, plan, 'watchlist_symbol_removed', { symbol });
    return true;
  });
}
