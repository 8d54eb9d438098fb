import type { ActiveItem, Watchlist, WatchlistItem } from '../../contract.ts';
import { PENDING_ID_PREFIX } from './item-labels.ts';

/** Fields of a security that are available before the service responds. */
export interface Security extends Pick<ActiveItem, 'symbol' | 'name' | 'asset_type' | 'currency' | 'logo'> {
  held?: boolean;
  exchange?: string | null;
  /** Former symbol of the company, if the member searched for it. */
  renamed_from?: string | undefined;
}

/** Returns the list with an unconfirmed security at `position`, or else at the end. */
export function applyOptimisticAdd(list: Watchlist, security: Security, position?: number): Watchlist {
  const now = new Date().toISOString();
  const row: ActiveItem = {
    id: PENDING_ID_PREFIX + security.symbol,
    symbol: security.symbol,
    position: position ?? list.items.length + 1,
    asset_type: security.asset_type,
    name: security.name,
    exchange: null,
    logo: security.logo,
    currency: security.currency,
    price_unit: security.asset_type === 'bond' ? 'percent_of_par' : 'currency',
    held: security.held ?? false,
    next_report: null,
    created_at: now,
    updated_at: now,
    ...noMarketData,
  };
  return restoreItem(list, row);
}

/**
 * Returns the list with the response in place of the pending row. If the row was removed, returns the list unchanged.
 */
export function replaceOptimisticItem(list: Watchlist, item: WatchlistItem): Watchlist {
  const rows = list.items.map((row) => (row.symbol === item.symbol ? item : row));
  return renumberItems(list, rows);
}

/** Returns the list without a symbol. */
export function applyRemove(list: Watchlist, symbol: string): Watchlist {
  const others = list.items.filter((item) => item.symbol !== symbol);
  return renumberItems(list, others);
}

/** Returns the list with a row restored at its position. If the row exists, returns the list unchanged. */
export function restoreItem(list: Watchlist, item: WatchlistItem): Watchlist {
  if (list.items.some(({ symbol }) => symbol === item.symbol)) return list;
  return renumberItems(list, list.items.toSpliced(item.position - 1, 0, item));
}

/**
 * Returns the list with a row at another index, from 0. The other rows keep their order. If the row is missing, returns
 * the list unchanged.
 */
export function applyMove(list: Watchlist, symbol: string, to: number): Watchlist {
  const row = list.items.find((item) => item.symbol === symbol);
  if (!row) return list;
  return renumberItems(list, list.items.filter((item) => item !== row).toSpliced(to, 0, row));
}

const noMarketData = {
  locked: false,
  price: null,
  change_1d: null,
  change_amount: null,
  prev_close: null,
  market_cap: null,
  volume: null,
  price_at: null,
  delayed_minutes: 0,
  sample: false,
  closes: null,
} as const;

/**
 * Renumbers, locks and unlocks the rows by the limit, as the service does. The price of an unlocked row follows with
 * the next response. Unchanged rows keep their object, so that the screen renders only changed rows.
 */
function renumberItems(list: Watchlist, rows: readonly WatchlistItem[]): Watchlist {
  const items = rows.map((row, index) =>
    setLocked(row.position === index + 1 ? row : { ...row, position: index + 1 }, index >= list.limit),
  );
  return { ...list, items, item_count: items.length, locked_count: Math.max(0, items.length - list.limit) };
}

function setLocked(row: WatchlistItem, locked: boolean): WatchlistItem {
  if (row.locked === locked) return row;
  if (!locked) return { ...row, ...noMarketData };
  const identity = Object.entries(row).filter(([name]) => !(name in noMarketData));
  return { ...(Object.fromEntries(identity) as Omit<WatchlistItem, 'locked'>), next_report: null, locked: true };
}
