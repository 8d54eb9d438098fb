import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { TickerDetail } from '../../contract.ts';

const HISTORY_POLL_INTERVAL_MS = 3_000;
const MAX_HISTORY_POLLS = 5;

/** Returns whether a security with closes has less than one year of them. Opening the panel then starts a backfill. */
export const isHistoryIncomplete = ({ asset_type: kind, history, ranges }: TickerDetail): boolean =>
  (kind === 'stock' || kind === 'etf') && history === 'ok' && ranges['1Y'] === undefined;

/**
 * Reads the detail of one watched ticker. A locked or unwatched ticker is 404, so the query waits while the add is
 * pending.
 */
export function useTicker(symbol: string, isPendingAdd: boolean): UseQueryResult<TickerDetail> {
  return useQuery<TickerDetail>({
    enabled: !isPendingAdd,
    // The query polls a few times while a backfill runs. A young listing never has a full year.
    refetchInterval: ({ state }) =>
      state.data && isHistoryIncomplete(state.data) && state.dataUpdateCount < MAX_HISTORY_POLLS
        ? HISTORY_POLL_INTERVAL_MS
        : false,
    queryKey: ['watchlist', 'ticker', symbol],
    queryFn: ({ signal }) => callApi('GET /api/watchlist/ticker/{symbol}', { params: { symbol }, signal }),
  });
}
