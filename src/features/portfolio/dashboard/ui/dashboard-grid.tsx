import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { Span } from './column-spans.ts';

/** Card in the grid. */
interface GridCard {
  id: string;
  span: Span;
  /** While empty it takes half the width of a phone. */
  isHalfWidth?: boolean;
  /** Hidden below a card of unknown height, until its own position is known. */
  isHidden?: boolean;
  content: ReactNode;
  /** During a drag: the dragged card, or the card at its target position. */
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
/** A card of two rows is as high as the two cards beside it. */
const tallClass = 'lg:row-span-2 lg:flex lg:flex-col lg:self-stretch lg:[&>.card]:grow';
/**
 * Two half-width cards in one phone row have equal height. The class is only on these cards: with `:has()` on all
 * cards, a browser would scan a list of 250 rows for the empty state at each change of a row (16 ms at fourfold CPU
 * throttling).
 */
const halfWidthWhenEmptyClass =
  'max-[48rem]:has-data-empty:col-span-1 max-[48rem]:has-data-empty:flex max-[48rem]:has-data-empty:flex-col ' +
  'max-[48rem]:has-data-empty:self-stretch';

/**
 * Shows the cards in order: one column on a phone, two on a tablet, three on wider screens. Screen readers announce a
 * list.
 */
export function DashboardGrid({ cards }: { cards: readonly GridCard[] }) {
  const grid = useRef<HTMLUListElement>(null);
  useStableWatchlistPosition(grid);
  return (
    <ul ref={grid} aria-label="Cards" className="grid grid-cols-2 items-start gap-4 sm:gap-5 lg:grid-cols-3">
      {cards.map(({ id, span, isHalfWidth, isHidden, variant, content }) => (
        <li
          key={id}
          id={`card-${id}`}
          data-variant={variant}
          className={
            `col-span-2 min-w-0 ${twoColumnClasses[span[0]] ?? ''} ${threeColumnClasses[span[1]] ?? ''} ` +
            `${span[2] === 2 ? tallClass : ''} ` +
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
 * Keeps the scroll position of the watchlist while cards above it receive their first rows. The browser's own scroll
 * anchoring at the top of the window is disabled during this time. (A selector with `:has()` would be evaluated again
 * at each change of a long list.)
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
