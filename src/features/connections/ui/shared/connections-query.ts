import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Connection } from '../../contract.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { RouteResponse } from '../../../../ui/shell/api/api-routes.ts';
import { createInvestmentQuery } from '../../../../ui/shell/api/investment-query.ts';

type Connections = RouteResponse<'GET /api/connections'>;

export const connectionsQuery = createInvestmentQuery('connections', (signal) =>
  callApi('GET /api/connections', { signal }),
);

/** Returns the member's connections, oldest first. */
export const useConnections = (): UseQueryResult<Connections> => useQuery(connectionsQuery);

/** Returns the connection of each connected account by account id. */
export function indexConnectionsByAccount(data: Connections | undefined): ReadonlyMap<string, Connection> {
  return new Map(
    data?.connections.flatMap((connection) => connection.accounts.map(({ id }) => [id, connection] as const)),
  );
}
