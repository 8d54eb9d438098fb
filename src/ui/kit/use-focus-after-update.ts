import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that focuses an element after its rendering, by a selector in the container. A moved element loses
 * the focus, and an added element does not take it.
 */
export function useFocusAfterUpdate(container: RefObject<HTMLElement | null>): (selector: string) => void {
  const pendingSelector = useRef<string | null>(null);
  // Runs after each rendering, because the element may appear in a later one.
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
