import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { DashboardCard } from './shared/dashboard-card.ts';
import { useCardPlaces } from './use-card-places.ts';

/** Card in the grid. */
interface GridCard {
  id: string;
  size: DashboardCard['size'];
  /** While empty it takes half the width of a phone. */
  isHalfWidth?: boolean;
  /** Whether its height is not known yet, so that the cards after it have no place. */
  isUnsettled?: boolean;
  content: ReactNode;
  /** During a drag: the dragged card, or the card at its target position. */
  variant?: keyof typeof variantClasses | undefined;
}

const variantClasses = {
  dragged: 'relative z-5 rounded-card opacity-90 shadow-raised',
  target: 'rounded-card outline-2 outline-offset-4 outline-accent',
} as const;

/** Columns before the first script. */
const sizeClasses = {
  narrow: 'min-[48rem]:col-span-1',
  wide: '',
  row: 'lg:col-span-3',
} as const;
/**
 * Two half-width cards in one phone row have equal height. The class is only on these cards: with `:has()` on all
 * cards, a browser would scan a list of 250 rows for the empty state at each change of a row (16 ms at fourfold CPU
 * throttling).
 */
const halfWidthWhenEmptyClass =
  'max-[48rem]:has-data-empty:col-span-1 max-[48rem]:has-data-empty:flex max-[48rem]:has-data-empty:flex-col ' +
  'max-[48rem]:has-data-empty:self-stretch';

/**
 * `data-unsettled` is on an item, or on the card in it, while its height is unknown. Cards after it have no place yet,
 * and no box, because a browser counts a shift from the place that an invisible box had.
 * The selectors name children only, so that changes within a card do not evaluate them. `[id]` limits the elements whose
 * insertion makes a browser check their siblings, which takes 40 ms in a list of 250 rows at fourfold CPU throttling.
 */
const hiddenAfterUnsettledClass = '[&>li[data-unsettled]~li]:hidden [&>li[id]:has(>[data-unsettled])~li]:hidden';

/**
 * Shows the cards in order: one column on a phone, two on a tablet, three on wider screens, each card as high as its
 * content. Screen readers announce a list.
 */
export function DashboardGrid({ cards }: { cards: readonly GridCard[] }) {
  const grid = useRef<HTMLUListElement>(null);
  useCardPlaces(grid, cards);
  useOverflowAnchor(grid);
  return (
    <ul
      ref={grid}
      aria-label="Cards"
      className={`grid grid-cols-2 items-start gap-4 sm:gap-5 lg:grid-cols-3 ${hiddenAfterUnsettledClass}`}
    >
      {cards.map(({ id, size, isHalfWidth, isUnsettled, variant, content }) => (
        <li
          key={id}
          id={`card-${id}`}
          data-variant={variant}
          data-unsettled={isUnsettled || undefined}
          className={
            `col-span-2 min-w-0 ${sizeClasses[size]} ` +
            `${isHalfWidth ? halfWidthWhenEmptyClass : ''} ` +
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
 * Disables the browser's own scroll anchoring while the watchlist has the focus, because its position is kept otherwise.
 * (A selector with `:has()` would be evaluated again at each change of a long list.)
 */
function useOverflowAnchor(grid: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current: cards } = grid;
    if (!cards) return;
    const updateOverflowAnchor = (focused: EventTarget | null): void => {
      const isInWatchlist = focused instanceof Element && focused.closest('#card-watchlist') !== null;
      cards.style.overflowAnchor = isInWatchlist ? 'none' : '';
    };
    const listenerAbort = new AbortController();
    cards.addEventListener('focusin', ({ target }) => updateOverflowAnchor(target), { signal: listenerAbort.signal });
    cards.addEventListener('focusout', ({ relatedTarget }) => updateOverflowAnchor(relatedTarget), {
      signal: listenerAbort.signal,
    });
    return () => listenerAbort.abort();
  }, [grid]);
}
