import { onlineManager, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { refusedWith } from '../../../../ui/shell/api/call-api.ts';
import { navigate } from '../../../../ui/shell/navigation/location.ts';
import { showErrorToast } from '../../../../ui/shell/session/show-error-toast.ts';
import type { ListState, Watchlist, WatchlistItem } from '../../contract.ts';
import { capture, plansLink } from './capture.ts';
import { type Security, withAdded, withConfirmed, withoutSymbol } from './changed-list.ts';
import { shortName } from './item-words.ts';
import { scheduleRefetch, serialMutation } from './list-mutations.ts';
import { offlineAdds } from './offline-add-queue.ts';
import { changeList, LIST, readList } from './watchlist-query.ts';

interface Addition {
  security: Security;
  /** The old place of a row whose removal is undone. */
  position?: number;
}

/**
 * Adds a security at once on screen. That it is watched already (another tab, a retry after a timeout) counts as done.
 */
export function useAddSymbol(): UseMutationResult<WatchlistItem, Error, Addition> {
  const queries = useQueryClient();
  const adding: UseMutationResult<WatchlistItem, Error, Addition> = useMutation({
    ...serialMutation,
    mutationFn: (addition) => (offlineAdds.has(addition.security.symbol) ? sendQueued(addition) : send(addition)),
    onMutate: async ({ security, position }) => {
      changeList(queries, (list) => withAdded(list, security, position));
      if (!onlineManager.isOnline()) {
        offlineAdds.enqueue(security);
        showToast(`${shortName(security)} waits for the network, and is kept in this browser until then.`);
      }
      await queries.cancelQueries({ queryKey: LIST, exact: true });
    },
    onSuccess: (item) => changeList(queries, (list) => withConfirmed(list, item)),
    onError: (error, addition) => {
      const { security } = addition;
      offlineAdds.discard(security.symbol);
      changeList(queries, (list) => withoutSymbol(list, security.symbol));
      const list = queries.getQueryData<Watchlist | null>(LIST);
      tellRefusal(error, security, list, () => adding.mutate(addition));
    },
    onSettled: () => scheduleRefetch(queries),
  });
  return adding;
}

/** Sends an add that waited for the network, unless another page has sent it and it is on the list. */
function sendQueued(addition: Addition): Promise<WatchlistItem> {
  const { symbol } = addition.security;
  return offlineAdds.flush(symbol, async (wasSent) => {
    const item = wasSent && (await readList()).items.find((each) => each.symbol === symbol);
    if (item) return item;
    showToast(`You are online again: ${shortName(addition.security)} is being added.`);
    return send(addition);
  });
}

/** Adds it at the service. One that is watched already counts as added. */
async function send({ security: { symbol }, position }: Addition): Promise<WatchlistItem> {
  try {
    const { item } = await callApi('POST /api/watchlist', {
      body: { symbol, ...(position !== undefined && { position }) },
    });
    return item;
  } catch (error) {
    const watched = refusedWith('POST /api/watchlist', 'ALREADY_WATCHED', error);
    if (watched) return watched.item;
    throw error;
  }
}

/** Says why a security was not added, where it is read: the row itself has gone from the list again. */
function tellRefusal(error: Error, security: Security, list: ListState | null | undefined, again: () => void): void {
  const name = shortName(security);
  const full = refusedWith('POST /api/watchlist', 'WATCHLIST_LIMIT_REACHED', error);
  if (!full) return showErrorToast(`${name} was not added.`, error, again);
  const upgrade = (): void => {
    if (list) capture('upgrade_cta_clicked', list, { source: 'dashboard_watchlist_limit' });
    navigate(plansLink('dashboard_watchlist_limit', security.symbol));
  };
  const { limit } = full;
  showToast(`${name} was not added: your watchlist is full, ${limit} of ${limit}.`, 'bad', {
    label: 'Upgrade',
    run: upgrade,
  });
}
