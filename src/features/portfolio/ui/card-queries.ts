import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import type { AnswerOf } from '../../../ui/shell/api/api-routes.ts';
import { investmentQuery } from '../../../ui/shell/api/investment-query.ts';
import { type Reading, useDeferredReading } from '../../../ui/kit/use-deferred-reading.ts';
import type { NetWorthResponse } from '../contract.ts';

type Positions = AnswerOf<'GET /api/investments/positions'>;
type Holdings = AnswerOf<'GET /api/investments/holdings'>;
export type Accounts = AnswerOf<'GET /api/accounts'>;

export const netWorth = investmentQuery('net-worth', (signal) =>
  callApi('GET /api/net-worth', { query: { days: 366 }, signal }),
);
export const positions = investmentQuery('positions', (signal) =>
  callApi('GET /api/investments/positions', { signal }),
);
export const holdings = investmentQuery('holdings', (signal) => callApi('GET /api/investments/holdings', { signal }));
export const accounts = investmentQuery('accounts', (signal) => callApi('GET /api/accounts', { signal }));

/** What the member is worth, per currency, with a year of history. */
export const useNetWorth = (): Reading<NetWorthResponse> => useDeferredReading(useQuery(netWorth));

/** What the member owns of each security, across accounts. */
export const usePositions = (): Reading<Positions> => useDeferredReading(useQuery(positions));

/** Each holding by itself, by account; not read while `enabled` is false. */
export const useHoldings = (enabled = true): UseQueryResult<Holdings> => useQuery({ ...holdings, enabled });

/** The member's accounts, oldest first. */
export const useAccounts = (): UseQueryResult<Accounts> => useQuery(accounts);
