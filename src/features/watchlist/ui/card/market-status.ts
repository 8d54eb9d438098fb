import { formatEastern } from '../../../../ui/shell/market/new-york-time.ts';
import type { Watchlist } from '../../contract.ts';

const sessionLabels = { pre: 'Pre-market', open: 'Market open', post: 'After hours', closed: 'Market closed' } as const;

/**
 * What the header says: where the US session stands (null while that is unknown), and the newest price's time in ET
 * with the date when it is not today's (null where nothing has a price).
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
