import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Watchlist } from '../../../watchlist/contract.ts';
import { CHANGE } from '../../../watchlist/ui/list/watchlist-query.ts';
import { INVESTMENTS } from '../../../../ui/shell/api/investment-query.ts';

const SETTLED_AFTER_MS = 1_000;

/** Reads reports and news again when other tickers are watched, once every change of the list has been saved. */
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
    if (followed.current === null) {
      followed.current = watched;
      return;
    }
    // Once for several picks in a row.
    const timer = setTimeout(() => {
      followed.current = watched;
      for (const card of ['earnings', 'news']) void queries.invalidateQueries({ queryKey: [...INVESTMENTS, card] });
    }, SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [watched, saving, queries]);
}
