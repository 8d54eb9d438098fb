import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Watchlist } from '../../watchlist/contract.ts';
import { CHANGE } from '../../watchlist/web/watchlist-query.ts';
import { INVESTMENTS } from '../lib/read-owned.ts';

/** Reads reports and news again when other tickers are watched than before, once every change of the list has been
 * saved. */
export function useFollowWatchlist(list: Watchlist | null | undefined): void {
  const queries = useQueryClient();
  const saving = useIsMutating({ mutationKey: CHANGE }) > 0;
  const followed = useRef<string | null>(null);
  const watched = list?.items
    .flatMap(({ symbol, locked }) => (locked ? [] : [symbol]))
    .sort()
    .join(' ');
  useEffect(() => {
    if (watched === undefined || saving || watched === followed.current) return;
    const isFirst = followed.current === null;
    followed.current = watched;
    if (isFirst) return;
    for (const card of ['earnings', 'news']) void queries.invalidateQueries({ queryKey: [...INVESTMENTS, card] });
  }, [watched, saving, queries]);
}
