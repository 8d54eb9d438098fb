import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns whether an element is at least `minWidth` CSS pixels wide. It is known before the first paint. */
export function useIsWide(element: RefObject<HTMLElement | null>, minWidth: number): boolean {
  const [isWide, setIsWide] = useState(false);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const update = (): void => setIsWide(current.clientWidth >= minWidth);
    update();
    const observer = new ResizeObserver(update);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, minWidth]);
  return isWide;
}
