import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CardId, DashboardResponse } from '../contract.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { showErrorToast } from '../../../../ui/shell/session/show-error-toast.ts';
import type { DashboardCard } from './shared/dashboard-card.ts';
import { layoutQueryKey } from './layout-query.ts';
import { moveEntry } from './move-entry.ts';

type CardAction = 'earlier' | 'later' | 'remove';

interface LayoutEditor {
  applyAction(id: CardId, action: CardAction): void;
  /** Moves a card to this index. */
  moveTo(id: CardId, to: number): void;
  /** Appends a removed card to the others. */
  restore(card: DashboardCard): void;
}

/**
 * Moves, removes and restores cards. The focus stays with the moved card, or moves to the one in the place of a removed
 * card. `announce` informs screen readers of each change.
 */
export function useLayoutEditor(cards: readonly DashboardCard[], announce: (text: string) => void): LayoutEditor {
  const queries = useQueryClient();
  const save = useSaveLayout();
  const ids = cards.map(({ id }) => id);
  const getTitle = (id: CardId): string => cards.find((card) => card.id === id)?.title ?? '';

  function applyAction(id: CardId, action: CardAction): void {
    if (action === 'remove') return remove(id);
    moveTo(id, ids.indexOf(id) + (action === 'earlier' ? -1 : 1));
    focusActionNextFrame(id, action);
  }

  function moveTo(id: CardId, to: number): void {
    const next = moveEntry(ids, id, to - ids.indexOf(id));
    save(next);
    announce(`${getTitle(id)} is now ${next.indexOf(id) + 1} of ${next.length}`);
  }

  function remove(id: CardId): void {
    const index = ids.indexOf(id);
    const remainingIds = ids.filter((other) => other !== id);
    save(remainingIds);
    showToast(`${getTitle(id)} removed.`, 'plain', {
      label: 'Undo',
      run: () => putBack(id, index),
    });
    focusActionNextFrame(remainingIds[index] ?? remainingIds.at(-1), 'remove');
  }

  /** Inserts a removed card into the cards of now, which may differ from those at its removal. */
  function putBack(id: CardId, index: number): void {
    const shownIds = queries.getQueryData<DashboardResponse>(layoutQueryKey)?.cards.map((card) => card.id);
    if (shownIds?.includes(id) === false) save(shownIds.toSpliced(index, 0, id));
  }

  function restore({ id, title }: DashboardCard): void {
    save([...ids, id]);
    announce(`${title} added, ${ids.length + 1} of ${ids.length + 1}`);
  }

  return { applyAction, moveTo, restore };
}

/** React removes and reinserts moved elements, which loses the focus. It is restored in the next frame. */
function focusActionNextFrame(id: CardId | undefined, action: CardAction): void {
  requestAnimationFrame(() => {
    const button = id && document.querySelector<HTMLElement>(`#card-${id} [data-action="${action}"]`);
    (button || document.getElementById('add-card'))?.focus();
  });
}

const layoutMutationKey = ['dashboard', 'save'] as const;

/** Saves the cards and their order, one save after another, with an optimistic update that a rejection reverts. */
function useSaveLayout(): (ids: readonly CardId[]) => void {
  const queries = useQueryClient();
  const save = (ids: readonly CardId[]): void => saveMutation.mutate(ids);
  const saveMutation = useMutation({
    mutationKey: layoutMutationKey,
    scope: { id: 'dashboard' },
    mutationFn: (ids: readonly CardId[]) =>
      callApi('PUT /api/dashboard', { body: { cards: ids.map((id) => ({ id })) } }),
    onMutate: async (ids) => {
      const previous = queries.getQueryData<DashboardResponse>(layoutQueryKey);
      if (previous) queries.setQueryData<DashboardResponse>(layoutQueryKey, toOptimisticLayout(previous, ids));
      await queries.cancelQueries({ queryKey: layoutQueryKey });
      return { before: previous };
    },
    onError: (error, ids, context) => {
      // A later save that is waiting contains this change too. Otherwise the stored layout is read again.
      if (queries.isMutating({ mutationKey: layoutMutationKey }) > 1) return;
      queries.setQueryData(layoutQueryKey, context?.before);
      void queries.invalidateQueries({ queryKey: layoutQueryKey });
      showErrorToast('Could not save the cards of Home.', error, () => save(ids));
    },
    onSuccess: (saved) => {
      // The response of an earlier save must not revert later changes.
      if (queries.isMutating({ mutationKey: layoutMutationKey }) <= 1) queries.setQueryData(layoutQueryKey, saved);
    },
  });
  return save;
}

/** Returns the layout with exactly these cards shown, in this order. */
function toOptimisticLayout(layout: DashboardResponse, ids: readonly CardId[]): DashboardResponse {
  const offered = [...layout.cards, ...layout.removed].map(({ id }) => id);
  return { cards: ids.map((id) => ({ id })), removed: offered.filter((id) => !ids.includes(id)).map((id) => ({ id })) };
}
