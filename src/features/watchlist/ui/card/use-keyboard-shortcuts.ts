import { useEffect, useEffectEvent } from 'react';
import { openDialogs } from '../../../../ui/kit/open-dialogs.ts';

interface KeyboardShortcuts {
  onSearch: () => void;
  /** Opens the alerts of the row with this symbol. */
  onAlert: (symbol: string) => void;
}

/**
 * Handles the card's shortcuts, unless a text field or a dialog has the focus. `/` in the card opens its search, and
 * elsewhere the page's. `a` on a row opens its alerts. Ctrl+Z undoes the last removal or move, also in the editor.
 */
export function useKeyboardShortcuts({ onSearch, onAlert }: KeyboardShortcuts): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (event.defaultPrevented || altKey || isTyping(target)) return;
    if (ctrlKey || metaKey) {
      // The parts that change the list have already loaded this module, so the import resolves at once.
      if (key === 'z' && !shiftKey) void import('../list/undo-stack.ts').then(({ undoLast }) => undoLast());
    } else if (key === 'a' && openDialogs.get().length === 0) {
      const symbol = isInCard(target) ? (target as HTMLElement).dataset['symbol'] : undefined;
      if (symbol === undefined) return;
      event.preventDefault();
      onAlert(symbol);
    } else if (key === '/' && isInCard(target) && openDialogs.get().length === 0) {
      event.preventDefault();
      onSearch();
    }
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

const isInCard = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('#card-watchlist') !== null;

/** Returns whether the focus is in a text field, which uses these keys and has its own undo. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input:not([type=radio]), textarea, select');
