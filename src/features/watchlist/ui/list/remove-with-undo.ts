import { useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../../../ui/kit/toasts.ts';
import type { Watchlist, WatchlistItem } from '../../contract.ts';
import { useAddSymbol } from './add-item.ts';
import { useRemoveItem } from './remove-item.ts';
import { formatShortName } from '../../../securities/ui/shared/security-labels.ts';
import { pushUndo } from './undo-stack.ts';
import { watchlistQueryKey } from './watchlist-query.ts';

/**
 * Removes a row with an optimistic update. Shows a toast after confirmation, with an undo button if the list has room.
 */
export function useRemoveWithUndo(): (item: WatchlistItem) => void {
  const remove = useRemoveItem();
  const add = useAddSymbol();
  const queries = useQueryClient();
  return (item) => {
    const undo = (): void => {
      // A promise survives the closed panel. The mutation reports its own errors.
      add.mutateAsync({ security: item, position: item.position }).then(
        ({ position }) => showToast(`${formatShortName(item)} is back at position ${position}.`),
        () => undefined,
      );
    };
    const showRemovedToast = (): void => {
      const list = queries.getQueryData<Watchlist | null>(watchlistQueryKey);
      const hasCapacity = !list || list.item_count < list.limit;
      showToast(
        `${formatShortName(item)} removed from your watchlist.`,
        'plain',
        hasCapacity ? { label: 'Undo', run: pushUndo(undo) } : undefined,
      );
    };
    remove.mutateAsync(item).then(showRemovedToast, () => undefined);
  };
}
