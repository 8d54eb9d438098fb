import type { ActiveItem, Watchlist, WatchlistItem } from '../../contract.ts';
import { PENDING_ID_PREFIX } from './item-labels.ts';

/** What is known of a security before the service has answered. */
export interface Security extends Pick<ActiveItem, 'symbol' | 'name' | 'asset_type' | 'currency' | 'logo'> {
  held?: boolean;
  exchange?: string | null;
  /** The company's former symbol, where it was searched for. */
  renamed_from?: string | undefined;
}

/** The list with a security on it that the service has not yet confirmed: at `position`, else at the end. */
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
 * The list with the service's answer in the place of the row that waited for it; a row removed meanwhile stays away.
 */
export function replaceOptimisticItem(list: Watchlist, item: WatchlistItem): Watchlist {
  const rows = list.items.map((row) => (row.symbol === item.symbol ? item : row));
  return renumberItems(list, rows);
}

/** The list without a symbol. */
export function applyRemove(list: Watchlist, symbol: string): Watchlist {
  const others = list.items.filter((item) => item.symbol !== symbol);
  return renumberItems(list, others);
}

/** A row at its own place, such as a removed one; nothing where it is there already. */
export function restoreItem(list: Watchlist, item: WatchlistItem): Watchlist {
  if (list.items.some(({ symbol }) => symbol === item.symbol)) return list;
  return renumberItems(list, list.items.toSpliced(item.position - 1, 0, item));
}

/** The list with a row at another place, from 0, and the others in their order; nothing where it is not on it. */
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
 * Numbers the rows, and locks and unlocks them by the limit as the service will; an unlocked price comes with its next
 * answer. A row that stays as it is stays the same object: the screen draws anew only what has changed.
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
