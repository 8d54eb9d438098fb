import type { ActiveItem, Watchlist, WatchlistItem } from '../../contract.ts';
import { PENDING } from './item-words.ts';

/** What is known of a security before the service has answered. */
export interface Security extends Pick<ActiveItem, 'symbol' | 'name' | 'asset_type' | 'currency' | 'logo'> {
  held?: boolean;
  exchange?: string | null;
  /** The company's former symbol, where it was searched for. */
  renamed_from?: string | undefined;
}

/** The list with a security on it that the service has not yet confirmed: at `position`, else at the end. */
export function withAdded(list: Watchlist, security: Security, position?: number): Watchlist {
  const now = new Date().toISOString();
  const row: ActiveItem = {
    id: PENDING + security.symbol,
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
    ...unpriced,
  };
  return withRow(list, row);
}

/**
 * The list with the service's answer in the place of the row that waited for it; a row removed meanwhile stays away.
 */
export function withConfirmed(list: Watchlist, item: WatchlistItem): Watchlist {
  const rows = list.items.map((row) => (row.symbol === item.symbol ? item : row));
  return placed(list, rows);
}

/** The list without a symbol. */
export function withoutSymbol(list: Watchlist, symbol: string): Watchlist {
  const others = list.items.filter((item) => item.symbol !== symbol);
  return placed(list, others);
}

/** A row at its own place, such as a removed one; nothing where it is there already. */
export function withRow(list: Watchlist, item: WatchlistItem): Watchlist {
  if (list.items.some(({ symbol }) => symbol === item.symbol)) return list;
  return placed(list, list.items.toSpliced(item.position - 1, 0, item));
}

/** The list with a row at another place, from 0, and the others in their order; nothing where it is not on it. */
export function withMoved(list: Watchlist, symbol: string, to: number): Watchlist {
  const row = list.items.find((item) => item.symbol === symbol);
  if (!row) return list;
  return placed(list, list.items.filter((item) => item !== row).toSpliced(to, 0, row));
}

const unpriced = {
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
function placed(list: Watchlist, rows: readonly WatchlistItem[]): Watchlist {
  const items = rows.map((row, index) =>
    lockedAs(row.position === index + 1 ? row : { ...row, position: index + 1 }, index >= list.limit),
  );
  return { ...list, items, item_count: items.length, locked_count: Math.max(0, items.length - list.limit) };
}

function lockedAs(row: WatchlistItem, locked: boolean): WatchlistItem {
  if (row.locked === locked) return row;
  if (!locked) return { ...row, ...unpriced };
  const identity = Object.entries(row).filter(([name]) => !(name in unpriced));
  return { ...(Object.fromEntries(identity) as Omit<WatchlistItem, 'locked'>), next_report: null, locked: true };
}
