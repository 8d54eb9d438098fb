import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../api/api.ts';
import type { AnswerOf } from '../api/api-routes.ts';

type Offers = AnswerOf<'GET /api/connections/offers'>;

/** Which kinds of institution can be connected here; the same for as long as the page is open. */
export const useOffers = (): UseQueryResult<Offers> =>
  useQuery({
    queryKey: ['connection-offers'],
    queryFn: ({ signal }) => callApi('GET /api/connections/offers', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
