import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { roundParts } from '../../../../ui/kit/round-parts.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { RouteResponse } from '../../../../ui/shell/api/api-routes.ts';
import { createInvestmentQuery } from '../../../../ui/shell/api/investment-query.ts';

export type Accounts = RouteResponse<'GET /api/accounts'>;

export const accountsQuery = createInvestmentQuery('accounts', (signal) => callApi('GET /api/accounts', { signal }));

/** Returns the member's accounts, oldest first. */
export const useAccounts = (): UseQueryResult<Accounts> => useQuery(accountsQuery);

/** Returns the value of each account in the base currency as it is shown, by id: they add up to the net worth. */
export function roundAccountValues({
  accounts,
  total,
  currency,
}: Pick<Accounts, 'accounts' | 'total' | 'currency'>): ReadonlyMap<string, number | null> {
  const values = accounts.map(({ base }) => base?.value ?? null);
  const rounded = roundParts(values, total, currency);
  return new Map(accounts.map(({ id }, index) => [id, rounded[index]!]));
}
