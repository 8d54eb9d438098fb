import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../web/lib/api.ts';

export const BILLING_KEY = ['billing'] as const;

/** What the member has and pays. */
export const useBilling = () =>
  useQuery({ queryKey: BILLING_KEY, queryFn: ({ signal }) => callApi('GET /api/billing', { signal }) });
