import { useQuery } from '@tanstack/react-query';
import { readOwned } from '../../web/lib/read-owned.ts';
import type { Reading } from '../../web/lib/use-unhurried.ts';
import { useUnhurried } from '../../web/lib/use-unhurried.ts';
import type { EarningsResponse, NewsResponse } from '../contract.ts';

export const earnings = readOwned<EarningsResponse>('earnings', '/api/earnings');
export const news = readOwned<NewsResponse>('news', '/api/news?limit=20');

/** Reports of held and watched companies in the next 90 days. */
export const useEarnings = (): Reading<EarningsResponse> => useUnhurried(useQuery(earnings));

/** The newest articles about held and watched securities. */
export const useNews = (): Reading<NewsResponse> => useUnhurried(useQuery(news));
