import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { investmentQuery } from '../../../../ui/shell/api/investment-query.ts';
import { type Reading, useDeferredReading } from '../../../../ui/kit/use-deferred-reading.ts';
import type { EarningsResponse, NewsResponse } from '../../dashboard/contract.ts';

export const earnings = investmentQuery('earnings', (signal) => callApi('GET /api/earnings', { signal }));
export const news = investmentQuery('news', (signal) => callApi('GET /api/news', { query: { limit: 20 }, signal }));

/** Reports of held and watched companies in the next 90 days. */
export const useEarnings = (): Reading<EarningsResponse> => useDeferredReading(useQuery(earnings));

/** The newest articles about held and watched securities. */
export const useNews = (): Reading<NewsResponse> => useDeferredReading(useQuery(news));
