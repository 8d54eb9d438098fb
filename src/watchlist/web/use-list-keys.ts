import { useEffect, useRef } from 'react';
import { openDialogs } from '../../web/lib/open-dialogs.ts';
import { forgetChanges, undoLast } from './undo-stack.ts';

interface ListKeys {
  onSearch: () => void;
  onHelp: () => void;
}

/**
 * The card's keys: `/` opens the search and `?` lists the keys, where nothing is typed and no dialog is open; Ctrl+Z
 * takes the last removal or move back, in the editor too.
 */
export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
        if (undoLast()) event.preventDefault();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || openDialogs.get().length > 0) return;
      const act = { '/': latest.current.onSearch, '?': latest.current.onHelp }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      forgetChanges();
    };
  }, []);
}

/** A text field has these keys, and an undo of its own. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input:not([type=radio]), textarea, select, [contenteditable]') !== null;
