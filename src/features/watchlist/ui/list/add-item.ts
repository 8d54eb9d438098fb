import { onlineManager, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { getApiErrorBody } from '../../../../ui/shell/api/call-api.ts';
import { navigate } from '../../../../ui/shell/navigation/location.ts';
import { showErrorToast } from '../../../../ui/shell/session/show-error-toast.ts';
import type { ListState, Watchlist, WatchlistItem } from '../../contract.ts';
import { capture, getPlansUrl } from './capture.ts';
import { type Security, applyOptimisticAdd, replaceOptimisticItem, applyRemove } from './optimistic-updates.ts';
import { formatShortName } from '../../../securities/ui/shared/security-labels.ts';
import { scheduleRefetch, serialMutation } from './list-mutations.ts';
import { offlineAdds } from './offline-add-queue.ts';
import { updateCachedWatchlist, watchlistQueryKey, fetchWatchlist } from './watchlist-query.ts';

interface Addition {
  security: Security;
  /** Previous position of a row whose removal is undone. */
  position?: number;
}

/**
 * Adds a security with an optimistic update. ALREADY_WATCHED (from another tab, or a retry after a timeout) counts as
 * success.
 */
export function useAddSymbol(): UseMutationResult<WatchlistItem, Error, Addition> {
  const queries = useQueryClient();
  const addMutation: UseMutationResult<WatchlistItem, Error, Addition> = useMutation({
    ...serialMutation,
    mutationFn: (addition) => (offlineAdds.has(addition.security.symbol) ? sendQueuedAdd(addition) : sendAdd(addition)),
    onMutate: async ({ security, position }) => {
      updateCachedWatchlist(queries, (list) => applyOptimisticAdd(list, security, position));
      if (!onlineManager.isOnline()) {
        offlineAdds.enqueue(security);
        showToast(`${formatShortName(security)} will be added when you are back online.`);
      }
      await queries.cancelQueries({ queryKey: watchlistQueryKey, exact: true });
    },
    onSuccess: (item) => updateCachedWatchlist(queries, (list) => replaceOptimisticItem(list, item)),
    onError: (error, addition) => {
      const { security } = addition;
      offlineAdds.discard(security.symbol);
      updateCachedWatchlist(queries, (list) => applyRemove(list, security.symbol));
      const list = queries.getQueryData<Watchlist | null>(watchlistQueryKey);
      showAddError(error, security, list, () => addMutation.mutate(addition));
    },
    onSettled: () => scheduleRefetch(queries),
  });
  return addMutation;
}

/** Sends a queued add, unless another page has sent it and the symbol is on the list. */
function sendQueuedAdd(addition: Addition): Promise<WatchlistItem> {
  const { symbol } = addition.security;
  return offlineAdds.flush(symbol, async (wasSent) => {
    const item = wasSent && (await fetchWatchlist()).items.find((listItem) => listItem.symbol === symbol);
    if (item) return item;
    showToast(`You are back online. Adding ${formatShortName(addition.security)}…`);
    return sendAdd(addition);
  });
}

/** Sends the add to the service. ALREADY_WATCHED counts as success. */
async function sendAdd({ security: { symbol }, position }: Addition): Promise<WatchlistItem> {
  try {
    const { item } = await callApi('POST /api/watchlist', {
      body: { symbol, ...(position !== undefined && { position }) },
    });
    return item;
  } catch (error) {
    const alreadyWatched = getApiErrorBody('POST /api/watchlist', 'ALREADY_WATCHED', error);
    if (alreadyWatched) return alreadyWatched.item;
    throw error;
  }
}

/** Shows why a security was not added in a toast, because the row itself was removed from the list. */
function showAddError(error: Error, security: Security, list: ListState | null | undefined, retry: () => void): void {
  const name = formatShortName(security);
  const limitError = getApiErrorBody('POST /api/watchlist', 'WATCHLIST_LIMIT_REACHED', error);
  if (!limitError) return showErrorToast(`Could not add ${name}.`, error, retry);
  const openPlans = (): void => {
    if (list) capture('upgrade_cta_clicked', list, { source: 'dashboard_watchlist_limit' });
    navigate(getPlansUrl('dashboard_watchlist_limit', security.symbol));
  };
  const { limit } = limitError;
  showToast(`Could not add ${name}. Your watchlist is full (${limit} of ${limit}).`, 'bad', {
    label: 'Upgrade',
    run: openPlans,
  });
}
