import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../web/lib/api.ts';
import type { TickerDetail } from '../contract.ts';

/** The detail of one watched ticker; 404 for one that is locked or not on the list. */
export function useTicker(symbol: string): UseQueryResult<TickerDetail> {
  return useQuery({
    queryKey: ['watchlist', 'ticker', symbol],
    queryFn: ({ signal }) => callApi<TickerDetail>({ path: `/api/watchlist/ticker/${encodeURIComponent(symbol)}`, signal }),
  });
}
