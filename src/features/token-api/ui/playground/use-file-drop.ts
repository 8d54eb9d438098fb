import { type RefObject, useEffect, useState } from 'react';

/**
 * Receives files that are dropped on an element, or on the whole page without an element. Returns whether files are
 * over it. Without this the browser would open a dropped file instead of the page.
 */
export function useFileDrop(
  onFiles: (files: readonly File[]) => void,
  element?: RefObject<HTMLElement | null>,
): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const target = element ? element.current : document;
    if (!target) return;
    const controller = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void): void =>
      target.addEventListener(type, handle as EventListener, { signal: controller.signal });
    listen('dragover', (event) => {
      event.preventDefault();
      setIsOver(true);
    });
    listen('dragleave', () => setIsOver(false));
    listen('drop', (event) => {
      setIsOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      // An outer element must not receive the files again.
      event.stopPropagation();
      onFiles(files);
    });
    return () => controller.abort();
  }, [element, onFiles]);
  return isOver;
}
