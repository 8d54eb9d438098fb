import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { TickerDetail } from '../../contract.ts';

const LOOK_AGAIN_MS = 3_000;
const LOOKS = 5;

/** Whether less than a year of closes is known of what has some: opening the panel has the rest fetched. */
export const isThin = ({ asset_type: kind, history, ranges }: TickerDetail): boolean =>
  (kind === 'stock' || kind === 'etf') && history === 'ok' && ranges['1Y'] === undefined;

/**
 * The detail of one watched ticker; 404 for one that is locked or not on the list, so a row that is still being added
 * `waits`.
 */
export function useTicker(symbol: string, waits: boolean): UseQueryResult<TickerDetail> {
  return useQuery<TickerDetail>({
    enabled: !waits,
    // A history that is being fetched is looked for a few times; a young listing never has a year of it.
    refetchInterval: ({ state }) =>
      state.data && isThin(state.data) && state.dataUpdateCount < LOOKS ? LOOK_AGAIN_MS : false,
    queryKey: ['watchlist', 'ticker', symbol],
    queryFn: ({ signal }) => callApi('GET /api/watchlist/ticker/{symbol}', { params: { symbol }, signal }),
  });
}
