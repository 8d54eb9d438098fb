import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../web/lib/api.ts';
import { ApiError } from '../../web/lib/call-api.ts';
import { notify, notifyFailure } from '../../web/lib/notices.ts';
import { INVESTMENTS } from '../../web/lib/investment-query.ts';
import type { Connection } from '../contract.ts';

interface Removal {
  isRemoving: boolean;
  remove(): void;
}

/** Removes a connection: its card says so until it is gone, and a removal that fails can be tried again. */
export function useRemoval({ id, institution }: Connection): Removal {
  const queries = useQueryClient();
  const removal: UseMutationResult<void, Error, void> = useMutation({
    async mutationFn() {
      try {
        await callApi('DELETE /api/connections/{id}', { params: { id } });
      } catch (error) {
        // What another tab has removed already is as removed as it can be.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    onError: (error: Error) => notifyFailure(`${institution} was not removed.`, error, removal.mutate),
    onSuccess: () => {
      // The button that was pressed goes with its card.
      document.getElementById('main')?.focus({ preventScroll: true });
      queries.setQueryData<{ connections: Connection[] }>(
        [...INVESTMENTS, 'connections'],
        (known) => known && { connections: known.connections.filter((one) => one.id !== id) },
      );
      void queries.invalidateQueries();
      notify(`${institution} removed.`, 'good');
    },
  });
  return { isRemoving: removal.isPending, remove: removal.mutate };
}
