import { useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../../../ui/kit/toasts.ts';
import type { Watchlist, WatchlistItem } from '../../contract.ts';
import { useAddSymbol } from './add-item.ts';
import { useRemoveItem } from './remove-item.ts';
import { formatShortName } from './item-labels.ts';
import { pushUndo } from './undo-stack.ts';
import { watchlistQueryKey } from './watchlist-query.ts';

/**
 * Removes a row at once on screen; says so once it is so, and offers to take it back to its place where there is room
 * for it.
 */
export function useRemoveWithUndo(): (item: WatchlistItem) => void {
  const remove = useRemoveItem();
  const add = useAddSymbol();
  const queries = useQueryClient();
  return (item) => {
    const undo = (): void => {
      // A promise outlives the panel that was closed; a refusal has been told where it was met.
      add.mutateAsync({ security: item, position: item.position }).then(
        ({ position }) => showToast(`${formatShortName(item)} is back at position ${position}.`),
        () => undefined,
      );
    };
    const showRemovedToast = (): void => {
      const list = queries.getQueryData<Watchlist | null>(watchlistQueryKey);
      const hasCapacity = !list || list.item_count < list.limit;
      showToast(
        `${formatShortName(item)} removed.`,
        'plain',
        hasCapacity ? { label: 'Undo', run: pushUndo(undo) } : undefined,
      );
    };
    remove.mutateAsync(item).then(showRemovedToast, () => undefined);
  };
}
