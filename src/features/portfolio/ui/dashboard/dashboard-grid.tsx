import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { Span } from './column-spans.ts';

/** A card of the dashboard in its place. */
interface GridCard {
  id: string;
  span: Span;
  /** As long as it is empty it takes half the width of a phone. */
  isHalfWidth?: boolean;
  /** It stands below a card whose height is not known yet: it is seen once it has its place. */
  isHidden?: boolean;
  content: ReactNode;
  /** During a drag: the dragged card, and the card whose place it would take. */
  variant?: keyof typeof variantClasses | undefined;
}

const variantClasses = {
  dragged: 'relative z-5 rounded-card opacity-90 shadow-raised',
  target: 'rounded-card outline-2 outline-offset-4 outline-accent',
} as const;

const twoColumnClasses: Readonly<Record<number, string>> = { 1: 'min-[48rem]:col-span-1', 2: 'min-[48rem]:col-span-2' };
const threeColumnClasses: Readonly<Record<number, string>> = {
  1: 'lg:col-span-1',
  2: 'lg:col-span-2',
  3: 'lg:col-span-3',
};
/**
 * Of two in a row of a phone one is as high as the other. Only on cards that may be half as wide: a browser would look
 * through a list of 250 rows for what is empty each time that a row comes, moves or goes (16 ms, four times slower than
 * here).
 */
const halfWidthWhenEmptyClass =
  'max-[48rem]:has-data-empty:col-span-1 max-[48rem]:has-data-empty:flex max-[48rem]:has-data-empty:flex-col ' +
  'max-[48rem]:has-data-empty:self-stretch';

/** The cards in their order: one column on a phone, two on a tablet, three beyond. Screen readers hear a list. */
export function DashboardGrid({ cards }: { cards: readonly GridCard[] }) {
  const grid = useRef<HTMLUListElement>(null);
  useStableWatchlistPosition(grid);
  return (
    <ul ref={grid} aria-label="Cards" className="grid grid-cols-2 items-start gap-4 sm:gap-5 lg:grid-cols-3">
      {cards.map(({ id, span, isHalfWidth, isHidden, variant, content }) => (
        <li
          key={id}
          id={`card-${id}`}
          data-look={variant}
          className={
            `col-span-2 min-w-0 ${twoColumnClasses[span[0]] ?? ''} ${threeColumnClasses[span[1]] ?? ''} ` +
            `${isHalfWidth ? halfWidthWhenEmptyClass : ''} ${isHidden ? 'invisible' : ''} ` +
            (variant ? variantClasses[variant] : '')
          }
        >
          {content}
        </li>
      ))}
    </ul>
  );
}

/**
 * Keeps the watchlist under the finger of somebody who picks from it while cards above it get their first rows. A
 * browser would hold on to what stands at the top of the window; that is switched off for as long. (By a selector with
 * `:has()` it would be asked anew at each change of a long list.)
 */
function useStableWatchlistPosition(grid: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let previousTop: number | undefined;
    let previousWidth: number | undefined;
    const observer = new ResizeObserver(() => {
      const list = grid.current?.querySelector('#card-watchlist');
      if (!list) return;
      const top = list.getBoundingClientRect().top + window.scrollY;
      const isSameWindow = previousWidth === window.innerWidth;
      previousWidth = window.innerWidth;
      if (previousTop !== undefined && isSameWindow && list.contains(document.activeElement))
        window.scrollBy({ top: top - previousTop, behavior: 'instant' });
      previousTop = top;
    });
    const { current: cards } = grid;
    if (!cards) return;
    observer.observe(cards);
    const updateOverflowAnchor = (focused: EventTarget | null): void => {
      const isPicking = focused instanceof Element && focused.closest('#card-watchlist') !== null;
      cards.style.overflowAnchor = isPicking ? 'none' : '';
    };
    const listenerAbort = new AbortController();
    cards.addEventListener('focusin', ({ target }) => updateOverflowAnchor(target), { signal: listenerAbort.signal });
    cards.addEventListener('focusout', ({ relatedTarget }) => updateOverflowAnchor(relatedTarget), {
      signal: listenerAbort.signal,
    });
    return () => {
      observer.disconnect();
      listenerAbort.abort();
    };
  }, [grid]);
}
