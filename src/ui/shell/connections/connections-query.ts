import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Connection } from '../../../features/connections/contract.ts';
import { callApi } from '../api/api.ts';
import type { RouteResponse } from '../api/api-routes.ts';
import { createInvestmentQuery } from '../api/investment-query.ts';

type Connections = RouteResponse<'GET /api/connections'>;

export const connectionsQuery = createInvestmentQuery('connections', (signal) =>
  callApi('GET /api/connections', { signal }),
);

/** What the member has connected, oldest first. */
export const useConnections = (): UseQueryResult<Connections> => useQuery(connectionsQuery);

/** The connection of each connected account, by the account's id. */
export function indexConnectionsByAccount(data: Connections | undefined): ReadonlyMap<string, Connection> {
  return new Map(
    data?.connections.flatMap((connection) => connection.accounts.map(({ id }) => [id, connection] as const)),
  );
}
