import { type RefObject, useEffect } from 'react';

/**
 * Keeps the watchlist under the finger of somebody who picks from it while cards above it get their first rows. A
 * browser would hold on to what stands at the top of the window; that is switched off for as long. (By a selector with
 * `:has()` it would be asked anew at each change of a long list.)
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
    const { current: cards } = grid;
    if (!cards) return;
    observer.observe(cards);
    const anchor = (focused: EventTarget | null): void => {
      const isPicking = focused instanceof Element && focused.closest('#card-watchlist') !== null;
      cards.style.overflowAnchor = isPicking ? 'none' : '';
    };
    const onFocus = ({ target }: FocusEvent): void => anchor(target);
    const onBlur = ({ relatedTarget }: FocusEvent): void => anchor(relatedTarget);
    cards.addEventListener('focusin', onFocus);
    cards.addEventListener('focusout', onBlur);
    return () => {
      observer.disconnect();
      cards.removeEventListener('focusin', onFocus);
      cards.removeEventListener('focusout', onBlur);
    };
  }, [grid]);
}
