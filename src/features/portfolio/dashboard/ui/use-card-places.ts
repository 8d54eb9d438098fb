import { type RefObject, useLayoutEffect, useState } from 'react';
import { type CardColumns, placeAgain, placeCards } from './place-cards.ts';
import type { DashboardCard } from './shared/dashboard-card.ts';

/** Narrower windows show the cards below each other. */
const COLUMNS_QUERY = '(min-width: 48rem)';

/**
 * Places the cards of the grid in columns by their heights, in the frame in which a height changes. Rows of the grid are
 * 1 px high, and each card spans as many as it needs. Once all cards have loaded, each keeps its columns until others
 * would shorten the grid, and always while a card shows all its rows. While the watchlist has the focus, its position on
 * the screen is kept when cards above it change their height.
 */
export function useCardPlaces(
  grid: RefObject<HTMLElement | null>,
  cards: readonly { id: string; size: DashboardCard['size'] }[],
): void {
  const order = cards.map(({ id, size }) => `${id} ${size}`).join();
  const [keepWatchlistPosition] = useState(() => createWatchlistKeeper(grid));
  useLayoutEffect(() => {
    const { current } = grid;
    if (!current) return;
    const list = current;
    const items = [...list.children] as HTMLElement[];
    // Columns since all cards have loaded, undefined before.
    let settled: { columnCount: number; columns: readonly CardColumns[] } | undefined;

    function place(): void {
      const hasColumns = window.matchMedia(COLUMNS_QUERY).matches;
      list.style.gridAutoRows = hasColumns ? '1px' : '';
      list.style.rowGap = hasColumns ? '0' : '';
      if (!hasColumns) {
        for (const { style } of items) style.gridArea = '';
        return;
      }
      const { gridTemplateColumns, columnGap } = getComputedStyle(list);
      const columnCount = gridTemplateColumns.split(' ').length;
      if (settled?.columnCount !== columnCount) settled = undefined;
      const heights = items.map((item) => Math.max(1, Math.ceil(item.getBoundingClientRect().height)));
      const boxes = cards.map(({ size }, index) => ({ size, height: heights[index]! }));
      const gap = Number.parseFloat(columnGap);
      const isExpanded = list.querySelector(':scope > li > .card > [aria-expanded="true"]') !== null;
      const places =
        settled && !isExpanded
          ? placeAgain(boxes, columnCount, gap, settled.columns)
          : placeCards(boxes, columnCount, gap, settled?.columns);
      for (const [index, { first, count, top }] of places.entries())
        items[index]!.style.gridArea = `${top + 1} / ${first + 1} / span ${heights[index]!} / span ${count}`;
      const isPending = list.querySelector(':scope > [data-unsettled], :scope > li > [data-unsettled]') !== null;
      if (!isPending) settled = { columnCount, columns: places };
    }
    const observer = new ResizeObserver(() => {
      place();
      keepWatchlistPosition();
    });
    for (const item of items) observer.observe(item);
    // A card that settles shows the cards after it, which have their places before the next paint.
    const settling = new MutationObserver(place);
    settling.observe(list, { attributeFilter: ['data-unsettled'], subtree: true });
    for (const item of items) settling.observe(item, { childList: true });
    place();
    return () => {
      observer.disconnect();
      settling.disconnect();
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [grid, order]);
}

/** Returns a function that scrolls by as much as the watchlist has moved since the last call, while it has the focus. */
function createWatchlistKeeper(grid: RefObject<HTMLElement | null>): () => void {
  let previousTop: number | undefined;
  let previousWidth: number | undefined;
  return () => {
    const watchlist = grid.current?.querySelector('#card-watchlist');
    if (!watchlist) return;
    const top = watchlist.getBoundingClientRect().top + window.scrollY;
    const isSameWindow = previousWidth === window.innerWidth;
    previousWidth = window.innerWidth;
    if (previousTop !== undefined && isSameWindow && watchlist.contains(document.activeElement))
      window.scrollBy({ top: top - previousTop, behavior: 'instant' });
    previousTop = top;
  };
}
