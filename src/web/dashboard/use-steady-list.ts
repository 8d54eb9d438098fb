import { type RefObject, useEffect } from 'react';

/**
 * Keeps the watchlist under the finger of somebody who picks from it while cards above it get their first rows. A
 * browser would hold on to what stands at the top of the window; the grid switches that off for as long.
 */
export function useSteadyList(grid: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let before: number | undefined;
    let width: number | undefined;
    const observer = new ResizeObserver(() => {
      const list = grid.current?.querySelector('#card-watchlist');
      if (!list) return;
      const top = list.getBoundingClientRect().top + window.scrollY;
      const isSameWindow = width === window.innerWidth;
      width = window.innerWidth;
      if (before !== undefined && isSameWindow && list.contains(document.activeElement))
        window.scrollBy({ top: top - before, behavior: 'instant' });
      before = top;
    });
    if (grid.current) observer.observe(grid.current);
    return () => observer.disconnect();
  }, [grid]);
}
