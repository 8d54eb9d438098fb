import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../../../ui/shell/api/api.ts';
import { createInvestmentQuery } from '../../../../../ui/shell/api/investment-query.ts';
import { type DeferredQueryResult, useDeferredQuery } from '../../../../../ui/kit/use-deferred-query.ts';
import type { EarningsResponse, NewsResponse } from '../../contract.ts';

export const earningsQuery = createInvestmentQuery('earnings', (signal) => callApi('GET /api/earnings', { signal }));
export const newsQuery = createInvestmentQuery('news', (signal) =>
  callApi('GET /api/news', { query: { limit: 20 }, signal }),
);

/** Returns reports of held and watched companies in the next 90 days. */
export const useEarnings = (): DeferredQueryResult<EarningsResponse> => useDeferredQuery(useQuery(earningsQuery));

/** Returns the latest articles about held and watched securities. */
export const useNews = (): DeferredQueryResult<NewsResponse> => useDeferredQuery(useQuery(newsQuery));
