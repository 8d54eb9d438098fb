import type { CardId } from '../../dashboard/contract.ts';
import { notify } from '../lib/notices.ts';
import { cardNames } from './card-screens.tsx';
import { useSaveLayout } from './save-layout.ts';
import { moved } from './place-in-columns.ts';

type CardAction = 'earlier' | 'later' | 'remove';

interface Arranging {
  act(id: CardId, action: CardAction): void;
  /** Gives a card the place with this index. */
  place(id: CardId, to: number): void;
  restore(id: CardId): void;
}

/**
 * Moving, removing and restoring cards; the focus stays with what was moved, or goes to what took its place. `say`
 * takes what was done, for screen readers.
 */
export function useArrange(ids: readonly CardId[], say: (what: string) => void): Arranging {
  const save = useSaveLayout();

  function act(id: CardId, action: CardAction): void {
    if (action === 'remove') return remove(id);
    place(id, ids.indexOf(id) + (action === 'earlier' ? -1 : 1));
    focusSoon(id, action);
  }

  function place(id: CardId, to: number): void {
    const next = moved(ids, id, to - ids.indexOf(id));
    save(next);
    say(`${cardNames[id]} is now ${next.indexOf(id) + 1} of ${next.length}`);
  }

  function remove(id: CardId): void {
    const at = ids.indexOf(id);
    const rest = ids.filter((other) => other !== id);
    save(rest);
    notify(`${cardNames[id]} removed.`, 'plain', { label: 'Undo', run: () => save(rest.toSpliced(at, 0, id)) });
    focusSoon(rest[at] ?? rest.at(-1), 'remove');
  }

  function restore(id: CardId): void {
    save([...ids, id]);
    say(`${cardNames[id]} added, ${ids.length + 1} of ${ids.length + 1}`);
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
