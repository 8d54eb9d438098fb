import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { investmentsQueryKey } from '../../../ui/shell/api/investment-query.ts';
import type { RouteResponse } from '../../../ui/shell/api/api-routes.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { connectionsQuery } from './shared/connections-query.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import type { Connection } from '../contract.ts';
import { describeRefresh, describeTooSoon } from './refresh-messages.ts';

/** Interval in ms and number of reads while a slow institution has not answered. */
const POLL_INTERVAL_MS = 4_000;
const MAX_POLLS = 10;

type Refreshed = RouteResponse<'POST /api/connections/{id}/refresh'>;

/** Refreshes a connection, shows the result as a toast and reads on while the institution is slow. */
export function useRefreshConnection(connection: Connection): { isRefreshing: boolean; start: () => void } {
  const { id, institution, status, synced_at: syncedAt } = connection;
  const queries = useQueryClient();
  /** The state of the connection when its slow reading began. */
  const [pendingSince, setPendingSince] = useState<Pick<Connection, 'status' | 'synced_at'> | null>(null);
  const refresh = useMutation({
    mutationFn: (): Promise<Refreshed> => callApi('POST /api/connections/{id}/refresh', { params: { id } }),
    onSuccess(refreshed) {
      queries.setQueryData(
        connectionsQuery.queryKey,
        (cached) =>
          cached && { connections: cached.connections.map((each) => (each.id === id ? refreshed.connection : each)) },
      );
      void queries.invalidateQueries();
      setPendingSince(refreshed.status === 'pending' ? refreshed.connection : null);
      showToast(describeRefresh(refreshed), refreshed.status === 'updated' ? 'good' : 'plain');
    },
    onError(error: Error) {
      if (error instanceof ApiError && error.status === 429) showToast(describeTooSoon(institution, error.retryAfter));
      else showErrorToast(`Could not refresh ${institution}.`, error, () => refresh.mutate());
    },
  });
  // A new state or time of the connection is the answer.
  const isWaiting = pendingSince?.status === status && pendingSince.synced_at === syncedAt;
  useEffect(() => {
    if (!isWaiting) return;
    let polls = 0;
    const timer = setInterval(() => {
      polls += 1;
      if (polls >= MAX_POLLS) setPendingSince(null);
      void queries.invalidateQueries({ queryKey: investmentsQueryKey });
    }, POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isWaiting, queries]);
  return { isRefreshing: refresh.isPending, start: () => refresh.mutate() };
}
