import { notify } from '../../web/lib/notices.ts';
import type { WatchlistItem } from '../contract.ts';
import { useAddSymbol, useRemoveItem } from './change-watchlist.ts';
import { shortName } from './item-words.ts';

/** Removes a row at once and offers to take it back to its place. */
export function useRemoveWithUndo(): (item: WatchlistItem) => void {
  const remove = useRemoveItem();
  const add = useAddSymbol();
  return (item) => {
    remove.mutate(item);
    const undo = (): void => {
      // A promise outlives the panel that was closed; a refusal has been told where it was met.
      add.mutateAsync({ security: item, position: item.position }).then(
        ({ position }) => notify(`${shortName(item)} is back at position ${position}.`),
        () => undefined,
      );
    };
    notify(`${shortName(item)} removed.`, 'plain', { label: 'Undo', run: undo });
  };
}
