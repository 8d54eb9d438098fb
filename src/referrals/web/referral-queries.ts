import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../../web/lib/api.ts';
import type { AnswerOf } from '../../web/lib/api-routes.ts';

/** The member's link; it never changes, so one read is enough for as long as the page is open. */
export function useReferralLink(): UseQueryResult<AnswerOf<'GET /api/referrals/get-link'>> {
  return useQuery({
    queryKey: ['referrals', 'link'],
    queryFn: ({ signal }) => callApi('GET /api/referrals/get-link', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useReferralStats(): UseQueryResult<AnswerOf<'GET /api/referrals/stats'>> {
  return useQuery({
    queryKey: ['referrals', 'stats'],
    queryFn: ({ signal }) => callApi('GET /api/referrals/stats', { signal }),
    staleTime: 0,
  });
}

export function useReferralHistory(): UseQueryResult<AnswerOf<'GET /api/referrals/history'>> {
  return useQuery({
    queryKey: ['referrals', 'history'],
    queryFn: ({ signal }) => callApi('GET /api/referrals/history', { signal }),
    staleTime: 0,
  });
}
