import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Connection } from '../../../features/connections/contract.ts';
import { callApi } from '../api/api.ts';
import type { AnswerOf } from '../api/api-routes.ts';
import { investmentQuery } from '../api/investment-query.ts';

type Connections = AnswerOf<'GET /api/connections'>;

export const connections = investmentQuery('connections', (signal) => callApi('GET /api/connections', { signal }));

/** What the member has connected, oldest first. */
export const useConnections = (): UseQueryResult<Connections> => useQuery(connections);

/** The connection of each connected account, by the account's id. */
export function connectionsByAccount(data: Connections | undefined): ReadonlyMap<string, Connection> {
  return new Map(data?.connections.flatMap((one) => one.accounts.map(({ id }) => [id, one] as const)));
}
