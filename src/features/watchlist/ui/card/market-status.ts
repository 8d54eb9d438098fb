import { formatEastern } from '../../../../ui/kit/new-york-time.ts';
import type { Watchlist } from '../../contract.ts';

const sessionLabels = { pre: 'Pre-market', open: 'Market open', post: 'After hours', closed: 'Market closed' } as const;

/**
 * Returns the session text (null if unknown) and the time of the newest price in ET. The time includes the date if the
 * price is not from today, and is null if no row has a price.
 */
export function getMarketStatus({ market, items }: Pick<Watchlist, 'market' | 'items'>, now = new Date()) {
  const priceTimes = items.flatMap((item) => (item.locked ? [] : (item.price_at ?? [])));
  const newest = market?.newest_price_at ?? priceTimes.toSorted().at(-1) ?? null;
  return {
    session: market && sessionLabels[market.session],
    isOpen: market?.session === 'open',
    newest: newest === null ? null : { iso: newest, text: formatEastern(new Date(newest), now) },
  };
}
