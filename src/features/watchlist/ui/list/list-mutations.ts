import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import type { WatchlistItem } from '../../contract.ts';
import { isPending } from './item-labels.ts';
import { watchlistMutationKey, watchlistQueryKey, fetchWatchlist } from './watchlist-query.ts';

/**
 * Options of every mutation of the list. Mutations run serially, so that the service receives them in their order, also
 * after an offline phase. A mutation without a response is sent twice, because each one is idempotent.
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
 * Refetches the list after the last mutation and a quiet period. An earlier response would show outdated rows, and ten
 * quick picks would cause ten reads.
 */
export function scheduleRefetch(queries: QueryClient): void {
  clearTimeout(refetchTimer);
  refetchTimer = setTimeout(() => {
    if (queries.isMutating({ mutationKey: watchlistMutationKey }) === 0)
      void queries.invalidateQueries({ queryKey: watchlistQueryKey });
  }, REFETCH_DELAY_MS);
}

/** Returns the id of a row. For a row that was just added, reads the service's list. The row may be missing there. */
export async function findItemId(row: Pick<WatchlistItem, 'symbol'> & { id?: string }): Promise<string | undefined> {
  if (row.id !== undefined && !isPending({ id: row.id })) return row.id;
  return (await fetchWatchlist()).items.find(({ symbol }) => symbol === row.symbol)?.id;
}
