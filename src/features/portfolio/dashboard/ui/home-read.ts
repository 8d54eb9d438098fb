import type { QueryClient, QueryFunctionContext, QueryKey } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { RouteResponse } from '../../../../ui/shell/api/api-routes.ts';

type Home = RouteResponse<'GET /api/home'>;

/** Prefetches a query from a part of Home's response. Without the part, the query sends its own request. */
export type PrefetchFromHome = (part: keyof Home, query: { queryKey: QueryKey; queryFn?: unknown }) => void;

/** Requests the cards of Home together. Each query can fail and be fetched again without the others. */
export function requestHome(queries: QueryClient): PrefetchFromHome {
  const pendingHome = callApi('GET /api/home').catch(() => undefined);
  return (part, query) => {
    const fetchAlone = query.queryFn as (context: QueryFunctionContext) => Promise<unknown>;
    void queries.prefetchQuery({
      ...query,
      queryFn: async (context) => {
        const value = (await pendingHome)?.[part];
        return value === undefined ? fetchAlone(context) : value;
      },
    });
  };
}
