import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CardId, DashboardResponse } from '../../dashboard/contract.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { showErrorToast } from '../../../../ui/shell/session/show-error-toast.ts';
import type { DashboardCard } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { LAYOUT } from './layout-query.ts';
import { moved } from './place-in-columns.ts';

type CardAction = 'earlier' | 'later' | 'remove';

interface Arranging {
  act(id: CardId, action: CardAction): void;
  /** Gives a card the place with this index. */
  place(id: CardId, to: number): void;
  /** Puts a removed card behind the others. */
  restore(card: DashboardCard): void;
}

/**
 * Moves, removes and restores cards; the focus stays with what was moved, or goes to what took its place. `announce`
 * takes what was done, for screen readers.
 */
export function useArrange(cards: readonly DashboardCard[], announce: (text: string) => void): Arranging {
  const save = useSaveLayout();
  const ids = cards.map(({ id }) => id);
  const titleOf = (id: CardId): string => cards.find((card) => card.id === id)?.title ?? '';

  function act(id: CardId, action: CardAction): void {
    if (action === 'remove') return remove(id);
    place(id, ids.indexOf(id) + (action === 'earlier' ? -1 : 1));
    focusSoon(id, action);
  }

  function place(id: CardId, to: number): void {
    const next = moved(ids, id, to - ids.indexOf(id));
    save(next);
    announce(`${titleOf(id)} is now ${next.indexOf(id) + 1} of ${next.length}`);
  }

  function remove(id: CardId): void {
    const at = ids.indexOf(id);
    const rest = ids.filter((other) => other !== id);
    save(rest);
    showToast(`${titleOf(id)} removed.`, 'plain', { label: 'Undo', run: () => save(rest.toSpliced(at, 0, id)) });
    focusSoon(rest[at] ?? rest.at(-1), 'remove');
  }

  function restore({ id, title }: DashboardCard): void {
    save([...ids, id]);
    announce(`${title} added, ${ids.length + 1} of ${ids.length + 1}`);
  }

  return { act, place, restore };
}

/** React moves elements by taking them out, which loses the focus: it is given back once they stand. */
function focusSoon(id: CardId | undefined, action: CardAction): void {
  requestAnimationFrame(() => {
    const button = id && document.querySelector<HTMLElement>(`#card-${id} [data-action="${action}"]`);
    (button || document.getElementById('add-widget'))?.focus();
  });
}

const SAVE = ['dashboard', 'save'] as const;

/** Saves the cards and their order, one save after another: at once on screen, taken back when it is refused. */
function useSaveLayout(): (ids: readonly CardId[]) => void {
  const queries = useQueryClient();
  const save = (ids: readonly CardId[]): void => saving.mutate(ids);
  const saving = useMutation({
    mutationKey: SAVE,
    scope: { id: 'dashboard' },
    mutationFn: (ids: readonly CardId[]) =>
      callApi('PUT /api/dashboard', { body: { cards: ids.map((id) => ({ id })) } }),
    onMutate: async (ids) => {
      const before = queries.getQueryData<DashboardResponse>(LAYOUT);
      if (before) queries.setQueryData<DashboardResponse>(LAYOUT, arrange(before, ids));
      await queries.cancelQueries({ queryKey: LAYOUT });
      return { before };
    },
    onError: (error, ids, context) => {
      // A later arrangement that waits to be sent contains this change too. Otherwise the stored one is read again.
      if (queries.isMutating({ mutationKey: SAVE }) > 1) return;
      queries.setQueryData(LAYOUT, context?.before);
      void queries.invalidateQueries({ queryKey: LAYOUT });
      showErrorToast('Your dashboard was not changed.', error, () => save(ids));
    },
    onSuccess: (saved) => {
      // An earlier answer must not undo what was changed after it.
      if (queries.isMutating({ mutationKey: SAVE }) <= 1) queries.setQueryData(LAYOUT, saved);
    },
  });
  return save;
}

/** The layout with exactly these cards shown, in this order. */
function arrange(layout: DashboardResponse, ids: readonly CardId[]): DashboardResponse {
  const offered = [...layout.cards, ...layout.removed].map(({ id }) => id);
  return { cards: ids.map((id) => ({ id })), removed: offered.filter((id) => !ids.includes(id)).map((id) => ({ id })) };
}
