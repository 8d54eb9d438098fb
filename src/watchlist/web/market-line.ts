import { formatEastern } from '../../web/lib/new-york-time.ts';
import type { Watchlist } from '../contract.ts';

const sessions = { pre: 'Pre-market', open: 'Market open', post: 'After hours', closed: 'Market closed' } as const;

interface MarketLine {
  /** Where the US session stands; null while the status is unknown. */
  session: string | null;
  isOpen: boolean;
  /** The newest price's moment, for a `<time>`; null where nothing has a price. */
  newest: { iso: string; text: string } | null;
}

/** What the header says: US session, and the newest price's time in ET with the date when it is not today's. */
export function marketLine({ market, items }: Pick<Watchlist, 'market' | 'items'>, now = new Date()): MarketLine {
  const newest = market?.newest_price_at ?? newestOf(items);
  return {
    session: market && sessions[market.session],
    isOpen: market?.session === 'open',
    newest: newest === null ? null : { iso: newest, text: formatEastern(new Date(newest), now) },
  };
}

function newestOf(items: Watchlist['items']): string | null {
  return items.reduce<string | null>(
    (latest, item) =>
      !item.locked && item.price_at !== null && (latest === null || item.price_at > latest) ? item.price_at : latest,
    null,
  );
}
