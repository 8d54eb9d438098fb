import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../web/lib/api.ts';
import type { Account, EarningsResponse, Holding, NetWorthResponse, NewsResponse, Position } from '../contract.ts';

/** Everything that changes with what is owned: invalidated together when an investment is added. */
export const INVESTMENTS = ['investments'] as const;

export interface Positions {
  positions: Position[];
  sample_data: boolean;
}

export interface Holdings {
  holdings: Holding[];
  limit: number;
}

export interface Accounts {
  accounts: Account[];
  limit: number;
}

function useCard<Answer>(name: string, path: string): UseQueryResult<Answer> {
  return useQuery({ queryKey: [...INVESTMENTS, name], queryFn: ({ signal }) => callApi<Answer>({ path, signal }) });
}

/** What the member is worth, per currency, with a year of history. */
export const useNetWorth = (): UseQueryResult<NetWorthResponse> => useCard('net-worth', '/api/net-worth?days=366');

/** What the member owns of each security, across accounts. */
export const usePositions = (): UseQueryResult<Positions> => useCard('positions', '/api/investments/positions');

/** Each holding by itself, by account. */
export const useHoldings = (): UseQueryResult<Holdings> => useCard('holdings', '/api/investments/holdings');

/** Reports of held and watched companies in the next 90 days. */
export const useEarnings = (): UseQueryResult<EarningsResponse> => useCard('earnings', '/api/earnings');

/** The newest articles about held and watched securities. */
export const useNews = (): UseQueryResult<NewsResponse> => useCard('news', '/api/news?limit=20');

/** The member's accounts, oldest first. */
export const useAccounts = (): UseQueryResult<Accounts> => useCard('accounts', '/api/accounts');
