import type { QueryClient } from '@tanstack/react-query';
import type { RangeName } from '../../../securities/contract.ts';
import type { Watchlist } from '../../contract.ts';
import { capture } from '../list/capture.ts';
import { watchlistQueryKey } from '../list/watchlist-query.ts';

/** Captures the change of the range of a watched security's chart. */
export function captureRangeChange(queries: QueryClient, symbol: string, range: RangeName): void {
  const list = queries.getQueryData<Watchlist | null>(watchlistQueryKey);
  if (list?.items.some((item) => item.symbol === symbol)) capture('watchlist_range_changed', list, { symbol, range });
}
