import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { useFocusAfterUpdate } from '../../../../ui/kit/use-focus-after-update.ts';
import type { Watchlist, WatchlistItem } from '../../contract.ts';
import { useAddSymbol } from '../list/add-item.ts';
import { formatShortName } from '../../../securities/ui/shared/security-labels.ts';
import { useMoveItem } from '../list/move-item.ts';
import { useRemoveItem } from '../list/remove-item.ts';
import { createUndo, pushUndo, type UndoEntry } from '../list/undo-stack.ts';
import { watchlistQueryKey } from '../list/watchlist-query.ts';

interface Removal {
  item: WatchlistItem;
  undo: UndoEntry;
}

interface RowActions {
  /** Returns the current index of a row, from 0. Key presses can precede the next rendering. */
  getIndex: (symbol: string) => number;
  getName: (symbol: string) => string;
  moveTo: (symbol: string, to: number) => void;
  /** Removes a row. With `keepFocus` the focus does not move to the next row. */
  remove: (item: WatchlistItem, options?: { keepFocus: boolean }) => void;
  /** Last removed row that is not back on the list. */
  lastRemoval: Removal | undefined;
}

/**
 * Moves and removes rows of the edit list. Each action updates the screen at once, is announced, and is pushed on the
 * undo stack. The focus goes to the moved row, or to the row in the place of the removed row.
 */
export function useRowActions(
  { items, limit }: Watchlist,
  container: RefObject<HTMLElement | null>,
  announce: (text: string) => void,
): RowActions {
  const moveMutation = useMoveItem();
  const removeMutation = useRemoveItem();
  const addMutation = useAddSymbol();
  const [removals, setRemovals] = useState<readonly Removal[]>([]);
  const focusAfterUpdate = useFocusAfterUpdate(container);
  const queries = useQueryClient();
  const count = items.length;
  // Reads the cache, because memoized rows keep old handlers.
  const getCurrentItems = (): readonly WatchlistItem[] =>
    queries.getQueryData<Watchlist>(watchlistQueryKey)?.items ?? items;
  const getIndex = (symbol: string): number => getCurrentItems().findIndex((item) => item.symbol === symbol);
  const getName = (symbol: string): string =>
    formatShortName(getCurrentItems().find((item) => item.symbol === symbol) ?? { symbol, name: null });
  const focusRow = (symbol: string): void => focusAfterUpdate(`[data-handle="${CSS.escape(symbol)}"]`);

  /**
   * Blurs the focused element before a row moves. Moving a row with the focus takes 65 ms on a slow phone, because
   * browser and React first restore the focus. The focus moves to the handle afterwards.
   */
  function blurActiveElement(): void {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && container.current?.contains(activeElement)) activeElement.blur();
  }

  function moveAndFocus(symbol: string, to: number): void {
    blurActiveElement();
    moveMutation.mutate({ symbol, to });
    focusRow(symbol);
  }

  function moveTo(symbol: string, to: number): void {
    const from = getIndex(symbol);
    moveAndFocus(symbol, to);
    pushUndo(() => {
      moveAndFocus(symbol, from);
      announce(`${getName(symbol)} is back at position ${from + 1} of ${count}`);
    });
    const crossesLimit = from < limit !== to < limit && count > limit;
    const state = to < limit ? ', now active' : ', now locked';
    announce(`${getName(symbol)} moved to position ${to + 1} of ${count}${crossesLimit ? state : ''}`);
  }

  function remove(item: WatchlistItem, { keepFocus } = { keepFocus: false }): void {
    const next = getCurrentItems()[item.position] ?? getCurrentItems()[item.position - 2];
    const removal = createRemoval(item);
    // The row disappears at once. The removal is announced after the service confirms it.
    removeMutation.mutateAsync(item).then(
      () => {
        announce(`${formatShortName(item)} removed`);
        removal.undo.push();
      },
      () => undefined,
    );
    setRemovals((previous) => [...previous.filter((other) => other.item.symbol !== item.symbol), removal]);
    if (keepFocus) return;
    if (next) focusRow(next.symbol);
    else container.current?.focus();
  }

  const createRemoval = (item: WatchlistItem): Removal => ({ item, undo: createUndo(() => restore(item)) });

  function restore(item: WatchlistItem): void {
    setRemovals((previous) => previous.filter((other) => other.item !== item));
    focusRow(item.symbol);
    addMutation.mutateAsync({ security: item, position: item.position }).then(
      ({ position }) => announce(`${formatShortName(item)} is back at position ${position}`),
      () => setRemovals((previous) => [...previous, createRemoval(item)]),
    );
  }

  const isOnList = (symbol: string): boolean => items.some((item) => item.symbol === symbol);
  return { getIndex, getName, moveTo, remove, lastRemoval: removals.findLast(({ item }) => !isOnList(item.symbol)) };
}
