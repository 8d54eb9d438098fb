import { useEffect, useEffectEvent } from 'react';
import { openDialogs } from '../../../../ui/kit/open-dialogs.ts';

/**
 * The card's keys: `/` opens the search and `?` lists the keys, where nothing is typed and no dialog is open; Ctrl+Z
 * takes the last removal or move back, in the editor too.
 */
export function useKeyboardShortcuts({ onSearch, onHelp }: { onSearch: () => void; onHelp: () => void }): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (event.defaultPrevented || altKey || isTyping(target)) return;
    if (ctrlKey || metaKey) {
      // What can be taken back is remembered by the parts that change the list: their code is here by then.
      if (key === 'z' && !shiftKey) void import('../list/undo-stack.ts').then(({ undoLast }) => undoLast());
    } else if ((key === '/' || key === '?') && openDialogs.get().length === 0) {
      event.preventDefault();
      if (key === '/') onSearch();
      else onHelp();
    }
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** A text field has these keys, and an undo of its own. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input:not([type=radio]), textarea, select');
