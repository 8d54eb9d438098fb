import type { ListState, WatchlistItem } from '../../contract.ts';

/** Returns the used part of the plan. If the list exceeds the plan, returns the saved and the shown count. */
export function formatListCount({ item_count: count, limit }: ListState): string {
  return count > limit ? `${count} saved, ${limit} active` : `${count} of ${limit}`;
}

const MAX_SHORT_LIST_ITEMS = 5;

/** Returns whether the list shows a row for adding: at most five tickers, free rows, nothing locked. */
export const isShortList = ({ item_count: count, limit, locked_count: locked }: ListState): boolean =>
  count <= MAX_SHORT_LIST_ITEMS && count < limit && locked === 0;

/** Prefix of a row's id until the service confirms the row. */
export const PENDING_ID_PREFIX = 'pending:';

/** Returns whether a row waits for the service's confirmation. */
export const isPending = ({ id }: Pick<WatchlistItem, 'id'>): boolean => id.startsWith(PENDING_ID_PREFIX);

/** Storage key of adds that were made offline. */
export const OFFLINE_ADDS_KEY = 'tally.kept-adds';
