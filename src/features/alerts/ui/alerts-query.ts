import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readUnreadAlerts, unreadAlerts } from '../../../ui/shell/alerts/unread-alerts.ts';
import { callApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import type { Alert, AlertList } from '../contract.ts';

const alertsQueryKey = ['alerts'] as const;

const alertsQuery = queryOptions<AlertList>({
  queryKey: alertsQueryKey,
  queryFn: ({ signal }) => callApi('GET /api/alerts', { signal }),
});

/** Returns all alerts of the member, and rereads them when another one has fired. */
export function useAlerts() {
  const queries = useQueryClient();
  const unread = useStore(unreadAlerts);
  useEffect(() => {
    if (unread > 0) void queries.invalidateQueries({ queryKey: alertsQueryKey }, { cancelRefetch: false });
  }, [unread, queries]);
  return useQuery({ ...alertsQuery, staleTime: 0 });
}

/** Rereads what the service shows of alerts. */
export const rereadAlerts = (queries: QueryClient): Promise<unknown> =>
  Promise.all([queries.invalidateQueries({ queryKey: alertsQueryKey }), readUnreadAlerts()]);

/** Returns a function that removes an alert at once, and restores it if the service does not. */
export function useRemoveAlert(): (alert: Alert) => void {
  const queries = useQueryClient();
  return function remove(alert: Alert): void {
    queries.setQueryData(
      alertsQueryKey,
      (list: AlertList | undefined) => list && { ...list, alerts: list.alerts.filter(({ id }) => id !== alert.id) },
    );
    callApi('DELETE /api/alerts/{id}', { params: { id: alert.id } })
      .then(
        () => showToast('Alert removed.'),
        (error: Error) => {
          // Another tab has removed it, or it has fired.
          if (error instanceof ApiError && error.status === 404) return;
          showErrorToast('Could not remove the alert.', error, () => remove(alert));
        },
      )
      .finally(() => {
        void rereadAlerts(queries);
      });
  };
}
