import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { navigate, useLocation } from '../../../ui/shell/navigation/location.ts';

export const BILLING_QUERY_KEY = ['billing'] as const;

/** A problem may be mended on the provider's page, of which the service hears a little later. */
const PROBLEM_POLL_INTERVAL_MS = 5_000;

/** What the member has and pays. */
export const useBilling = () =>
  useQuery({
    queryKey: BILLING_QUERY_KEY,
    queryFn: ({ signal }) => callApi('GET /api/billing', { signal }),
    refetchInterval: ({ state: { data } }) => (data?.payment_problem ? PROBLEM_POLL_INTERVAL_MS : false),
  });

/** Back from the provider's page for the means of payment, reads at once what was done there. */
export function useSyncOnReturn(): void {
  const queries = useQueryClient();
  const { path, search } = useLocation();
  const isReturning = new URLSearchParams(search).get('from') === 'portal';
  useEffect(() => {
    if (!isReturning) return;
    navigate(path, { replace: true });
    // What fails here comes with the provider's event.
    void callApi('POST /api/billing/sync', { body: {} }).then(
      ({ checkout: _none, ...billing }) => queries.setQueryData(BILLING_QUERY_KEY, billing),
      () => undefined,
    );
  }, [isReturning, path, queries]);
}
