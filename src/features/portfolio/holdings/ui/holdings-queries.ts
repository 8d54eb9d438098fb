import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { RouteResponse } from '../../../../ui/shell/api/api-routes.ts';
import { createInvestmentQuery } from '../../../../ui/shell/api/investment-query.ts';
import { type DeferredQueryResult, useDeferredQuery } from '../../../../ui/kit/use-deferred-query.ts';
import type { PortfolioHoldings } from '../contract.ts';

type Holdings = RouteResponse<'GET /api/investments/holdings'>;

export const holdingsQuery = createInvestmentQuery('holdings', (signal) =>
  callApi('GET /api/investments/holdings', { signal }),
);

export const portfolioHoldingsQuery = createInvestmentQuery('portfolio-holdings', (signal) =>
  callApi('GET /api/portfolio/holdings', { signal }),
);

/** Returns the member's holdings with their amounts in the base currency. */
export const usePortfolioHoldings = (): DeferredQueryResult<PortfolioHoldings> =>
  useDeferredQuery(useQuery(portfolioHoldingsQuery));

/** Returns the holdings by account. Disabled while `enabled` is false. */
export const useHoldings = (enabled = true): UseQueryResult<Holdings> => useQuery({ ...holdingsQuery, enabled });
