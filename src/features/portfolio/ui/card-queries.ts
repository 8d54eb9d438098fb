import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import type { RouteResponse } from '../../../ui/shell/api/api-routes.ts';
import { createInvestmentQuery } from '../../../ui/shell/api/investment-query.ts';
import { type DeferredQueryResult, useDeferredQuery } from '../../../ui/kit/use-deferred-query.ts';
import type { NetWorthResponse, PortfolioHoldings } from '../contract.ts';

type Holdings = RouteResponse<'GET /api/investments/holdings'>;
export type Accounts = RouteResponse<'GET /api/accounts'>;

export const netWorthQuery = createInvestmentQuery('net-worth', (signal) =>
  callApi('GET /api/net-worth', { query: { days: 366 }, signal }),
);
/** Net worth with the longest history of the API. A change of net worth invalidates it too. */
export const wholeNetWorthQuery = queryOptions({
  queryKey: [...netWorthQuery.queryKey, 'whole'],
  queryFn: ({ signal }) => callApi('GET /api/net-worth', { query: { days: 1830 }, signal }),
});
export const holdingsQuery = createInvestmentQuery('holdings', (signal) =>
  callApi('GET /api/investments/holdings', { signal }),
);
export const accountsQuery = createInvestmentQuery('accounts', (signal) => callApi('GET /api/accounts', { signal }));

export const portfolioHoldingsQuery = createInvestmentQuery('portfolio-holdings', (signal) =>
  callApi('GET /api/portfolio/holdings', { signal }),
);

/** Returns the member's net worth with a year of history. */
export const useNetWorth = (): DeferredQueryResult<NetWorthResponse> => useDeferredQuery(useQuery(netWorthQuery));

/** Returns the member's holdings with their amounts in the base currency. */
export const usePortfolioHoldings = (): DeferredQueryResult<PortfolioHoldings> =>
  useDeferredQuery(useQuery(portfolioHoldingsQuery));

/** Returns the holdings by account. Disabled while `enabled` is false. */
export const useHoldings = (enabled = true): UseQueryResult<Holdings> => useQuery({ ...holdingsQuery, enabled });

/** Returns the member's accounts, oldest first, for the dashboard's card. */
export const useAccountsCard = (): DeferredQueryResult<Accounts> => useDeferredQuery(useQuery(accountsQuery));

/** Returns the member's accounts, oldest first. */
export const useAccounts = (): UseQueryResult<Accounts> => useQuery(accountsQuery);
