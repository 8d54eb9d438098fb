import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { TickerDetail } from '../../contract.ts';

const HISTORY_POLL_INTERVAL_MS = 3_000;
const MAX_HISTORY_POLLS = 5;

/** Whether less than a year of closes is known of what has some: opening the panel has the rest fetched. */
export const isHistoryIncomplete = ({ asset_type: kind, history, ranges }: TickerDetail): boolean =>
  (kind === 'stock' || kind === 'etf') && history === 'ok' && ranges['1Y'] === undefined;

/**
 * The detail of one watched ticker; 404 for one that is locked or not on the list, so a row that is still being added
 * `waits`.
 */
export function useTicker(symbol: string, isPendingAdd: boolean): UseQueryResult<TickerDetail> {
  return useQuery<TickerDetail>({
    enabled: !isPendingAdd,
    // A history that is being fetched is looked for a few times; a young listing never has a year of it.
    refetchInterval: ({ state }) =>
      state.data && isHistoryIncomplete(state.data) && state.dataUpdateCount < MAX_HISTORY_POLLS
        ? HISTORY_POLL_INTERVAL_MS
        : false,
    queryKey: ['watchlist', 'ticker', symbol],
    queryFn: ({ signal }) => callApi('GET /api/watchlist/ticker/{symbol}', { params: { symbol }, signal }),
  });
}
