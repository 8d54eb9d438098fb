import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import type { WatchlistItem } from '../../contract.ts';
import { isPending } from './item-labels.ts';
import { watchlistMutationKey, watchlistQueryKey, fetchWatchlist } from './watchlist-query.ts';

/**
 * Options of every mutation of the list. They run one after another, so that the service sees them in the order in which
 * they were made, also after a time offline. One that got no answer is sent once more: each of them can be repeated.
 */
export const serialMutation = {
  scope: { id: 'watchlist' },
  mutationKey: watchlistMutationKey,
  retry: (failures: number, error: Error): boolean =>
    failures < 1 && error instanceof ApiError && error.code === 'TIMEOUT',
} as const;

const REFETCH_DELAY_MS = 1_000;

let refetchTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Reads the list again once the last mutation is done and no other has followed for a while: an earlier answer would
 * show what has changed since, and ten picks in a row would have it read ten times.
 */
export function scheduleRefetch(queries: QueryClient): void {
  clearTimeout(refetchTimer);
  refetchTimer = setTimeout(() => {
    if (queries.isMutating({ mutationKey: watchlistMutationKey }) === 0)
      void queries.invalidateQueries({ queryKey: watchlistQueryKey });
  }, REFETCH_DELAY_MS);
}

/** The id of a row. Of one that was just added only the service's list has it, where the row may be gone. */
export async function findItemId(row: Pick<WatchlistItem, 'symbol'> & { id?: string }): Promise<string | undefined> {
  if (row.id !== undefined && !isPending({ id: row.id })) return row.id;
  return (await fetchWatchlist()).items.find(({ symbol }) => symbol === row.symbol)?.id;
}
