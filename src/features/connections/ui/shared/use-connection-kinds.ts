import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { RouteResponse } from '../../../../ui/shell/api/api-routes.ts';

type ConnectionKinds = RouteResponse<'GET /api/connections/offers'>;

/**
 * Returns the kinds of institutions that this deployment can connect. The result is constant while the page is open.
 */
export const useConnectionKinds = (): UseQueryResult<ConnectionKinds> =>
  useQuery({
    queryKey: ['connection-offers'],
    queryFn: ({ signal }) => callApi('GET /api/connections/offers', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
