import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * Gives the focus to an element as soon as it is rendered: one that is moved in the document loses it, and one that is
 * added takes none. Returns what names the element, by a selector within the container.
 */
export function useFocusAfterUpdate(container: RefObject<HTMLElement | null>): (selector: string) => void {
  const pendingSelector = useRef<string | null>(null);
  // After each rendering: the element may come with a later one.
  useEffect(() => {
    if (pendingSelector.current === null) return;
    const element = container.current?.querySelector<HTMLElement>(pendingSelector.current);
    if (!element) return;
    pendingSelector.current = null;
    element.focus();
  });
  return useCallback((selector) => {
    pendingSelector.current = selector;
  }, []);
}
