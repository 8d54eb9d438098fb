import type { ActiveItem, Watchlist, WatchlistItem } from '../../src/features/watchlist/contract.ts';
import type { ListRow } from '../../src/features/watchlist/queries.ts';

/** Returns a row as the database returns it. */
export const createRow = (fields: Partial<ListRow>): ListRow => ({
  id: '',
  symbol: 'X',
  position: 1,
  locked: false,
  ticker_id: 1,
  asset_type: 'stock',
  name: null,
  exchange: null,
  logo: null,
  currency: 'USD',
  held: false,
  created_at: new Date(0),
  updated_at: new Date(0),
  price: 1,
  change_1d: null,
  change_amount: null,
  prev_close: null,
  market_cap: null,
  volume: null,
  price_at: null,
  delayed_minutes: 0,
  sample: false,
  ...fields,
});

/** Returns an active row for tests of the card's rules. */
export function createActiveRow(symbol: string, fields: Partial<ActiveItem> = {}): ActiveItem {
  return {
    id: `id-${symbol}`,
    symbol,
    position: 1,
    asset_type: 'stock',
    name: symbol,
    exchange: null,
    logo: null,
    currency: 'USD',
    price_unit: 'currency',
    held: false,
    next_report: null,
    created_at: '2026-11-20T00:00:00.000Z',
    updated_at: '2026-11-20T00:00:00.000Z',
    locked: false,
    price: 100,
    change_1d: 0,
    change_amount: 0,
    prev_close: 100,
    market_cap: null,
    volume: null,
    price_at: '2026-11-20T21:00:00.000Z',
    delayed_minutes: 0,
    sample: false,
    closes: null,
    ...fields,
  };
}

/** Returns a list of the Free plan with this limit. */
export function createWatchlist(items: readonly WatchlistItem[], limit = 20): Watchlist {
  const withPositions = items.map((item, index) => ({ ...item, position: index + 1 }));
  return {
    tier: 'free',
    limit,
    item_count: items.length,
    locked_count: withPositions.filter(({ locked }) => locked).length,
    items: withPositions,
    market: null,
    history: 'ok',
  };
}
