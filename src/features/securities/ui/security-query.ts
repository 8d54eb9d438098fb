import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { investmentsQueryKey } from '../../../ui/shell/api/investment-query.ts';
import type { Security, ShownSecurity } from '../contract.ts';

const POLL_INTERVAL_MS = 3_000;
const MAX_POLLS = 5;

/** Returns whether a stock or ETF has less than one year of closes. Opening the panel then starts a backfill. */
export const isHistoryIncomplete = ({ asset_type: assetType, unavailable, ranges }: ShownSecurity): boolean =>
  (assetType === 'stock' || assetType === 'etf') && !unavailable.includes('history') && ranges['1Y'] === undefined;

/** Returns whether a later response may contain more: a price, a year of closes, or a part that is late. */
const isIncomplete = (security: Security): boolean =>
  !security.locked && (security.price === null || security.pending.length > 0 || isHistoryIncomplete(security));

/** Reads one security. Polls a few times while parts are missing. A young listing never has a full year. */
export function useSecurity(symbol: string): UseQueryResult<Security> {
  return useQuery<Security>({
    queryKey: [...investmentsQueryKey, 'security', symbol],
    queryFn: ({ signal }) => callApi('GET /api/securities/{symbol}', { params: { symbol }, signal }),
    refetchInterval: ({ state }) =>
      state.data && isIncomplete(state.data) && state.dataUpdateCount < MAX_POLLS ? POLL_INTERVAL_MS : false,
  });
}
