import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { navigate, useLocation } from '../../../ui/shell/navigation/location.ts';

export const BILLING_QUERY_KEY = ['billing'] as const;

/**
 * Interval in ms while a payment problem exists. The member can solve it on the provider's page, and the service is
 * notified a little later.
 */
const PROBLEM_POLL_INTERVAL_MS = 5_000;

/** Returns the member's plan and payments. */
export const useBilling = () =>
  useQuery({
    queryKey: BILLING_QUERY_KEY,
    queryFn: ({ signal }) => callApi('GET /api/billing', { signal }),
    refetchInterval: ({ state: { data } }) => (data?.payment_problem ? PROBLEM_POLL_INTERVAL_MS : false),
  });

/** Synchronizes immediately when the member returns from the provider's page for payment methods. */
export function useSyncOnReturn(): void {
  const queries = useQueryClient();
  const { path, search } = useLocation();
  const isReturning = new URLSearchParams(search).get('from') === 'portal';
  useEffect(() => {
    if (!isReturning) return;
    navigate(path, { replace: true });
    // If this call fails, the provider's event delivers the change.
    void callApi('POST /api/billing/sync', { body: {} }).then(
      ({ checkout: _none, ...billing }) => queries.setQueryData(BILLING_QUERY_KEY, billing),
      () => undefined,
    );
  }, [isReturning, path, queries]);
}
