import type { QueryClient, UseQueryResult } from '@tanstack/react-query';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../../web/lib/api.ts';
import type { Reading } from '../../web/lib/use-unhurried.ts';
import { useUnhurried } from '../../web/lib/use-unhurried.ts';
import type {
  Account,
  CardId,
  EarningsResponse,
  Holding,
  NetWorthResponse,
  NewsResponse,
  Position,
} from '../contract.ts';

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

/** A read by its name and path; the card that shows it and `readCards` share one request. */
const read = <Answer>(name: string, path: string) =>
  queryOptions<Answer>({
    queryKey: [...INVESTMENTS, name],
    queryFn: ({ signal }) => callApi<Answer>({ path, signal }),
  });

const netWorth = read<NetWorthResponse>('net-worth', '/api/net-worth?days=366');
const positions = read<Positions>('positions', '/api/investments/positions');
const holdings = read<Holdings>('holdings', '/api/investments/holdings');
const earnings = read<EarningsResponse>('earnings', '/api/earnings');
const news = read<NewsResponse>('news', '/api/news?limit=20');
const accounts = read<Accounts>('accounts', '/api/accounts');

/** What the member is worth, per currency, with a year of history. */
export const useNetWorth = (): Reading<NetWorthResponse> => useUnhurried(useQuery(netWorth));

/** What the member owns of each security, across accounts. */
export const usePositions = (): Reading<Positions> => useUnhurried(useQuery(positions));

/** Each holding by itself, by account. */
export const useHoldings = (): UseQueryResult<Holdings> => useQuery(holdings);

/** Reports of held and watched companies in the next 90 days. */
export const useEarnings = (): Reading<EarningsResponse> => useUnhurried(useQuery(earnings));

/** The newest articles about held and watched securities. */
export const useNews = (): Reading<NewsResponse> => useUnhurried(useQuery(news));

/** The member's accounts, oldest first. */
export const useAccounts = (): UseQueryResult<Accounts> => useQuery(accounts);

const firstReads: Readonly<Record<Exclude<CardId, 'watchlist'>, (queries: QueryClient) => Promise<void>>> = {
  net_worth: (queries) => queries.prefetchQuery(netWorth),
  holdings: (queries) => queries.prefetchQuery(positions),
  earnings: (queries) => queries.prefetchQuery(earnings),
  news: (queries) => queries.prefetchQuery(news),
};

/** Reads what these cards will show, before they stand there. */
export function readCards(queries: QueryClient, ids: readonly CardId[]): void {
  for (const id of ids) if (id !== 'watchlist') void firstReads[id](queries);
}
