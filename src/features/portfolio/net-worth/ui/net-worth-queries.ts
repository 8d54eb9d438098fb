import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { createInvestmentQuery } from '../../../../ui/shell/api/investment-query.ts';
import { type DeferredQueryResult, useDeferredQuery } from '../../../../ui/kit/use-deferred-query.ts';
import type { NetWorthResponse } from '../contract.ts';

export const netWorthQuery = createInvestmentQuery('net-worth', (signal) =>
  callApi('GET /api/net-worth', { query: { days: 366 }, signal }),
);
/** Net worth with the longest history of the API. A change of net worth invalidates it too. */
export const wholeNetWorthQuery = queryOptions({
  queryKey: [...netWorthQuery.queryKey, 'whole'],
  queryFn: ({ signal }) => callApi('GET /api/net-worth', { query: { days: 1830 }, signal }),
});
/** Returns the member's net worth with a year of history. */
export const useNetWorth = (): DeferredQueryResult<NetWorthResponse> => useDeferredQuery(useQuery(netWorthQuery));
