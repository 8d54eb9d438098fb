import type { DashboardCard } from './shared/dashboard-card.ts';

/** Columns of a card in the grid, counted from 0. */
export interface CardColumns {
  first: number;
  count: number;
}

/** Place of a card: its columns, and its top in px from the top of the grid. */
export interface CardPlace extends CardColumns {
  top: number;
}

interface PlacedCard {
  size: DashboardCard['size'];
  /** In px. */
  height: number;
}

/** Difference in px of two columns' ends up to which the last card spans both. */
const NEARLY_EQUAL_PX = 210;

/** By how many px other columns must shorten the grid before cards change their columns. */
const MIN_GAIN_PX = 100;

/**
 * Places cards in columns in the member's order (masonry). Each card is below the columns that end first. The last card
 * before one as wide as the grid spans all neighbouring columns that end nearly as high. `fixed` are the columns of an
 * earlier call, which a card keeps while its height changes.
 */
export function placeCards(
  cards: readonly PlacedCard[],
  columnCount: number,
  gap: number,
  fixed?: readonly CardColumns[],
): CardPlace[] {
  const ends = Array.from({ length: columnCount }, () => 0);
  return cards.map(({ size, height }, index) => {
    const next = cards[index + 1];
    const isLastOfColumns = next === undefined || countColumns(next.size, columnCount) === columnCount;
    const { first, count } = fixed?.[index] ?? chooseColumns(ends, countColumns(size, columnCount), isLastOfColumns);
    const top = Math.max(...ends.slice(first, first + count));
    ends.fill(top + height + gap, first, first + count);
    return { first, count, top };
  });
}

/** Places cards whose heights have changed: in the columns of an earlier call, unless others shorten the grid. */
export function placeAgain(
  cards: readonly PlacedCard[],
  columnCount: number,
  gap: number,
  earlier: readonly CardColumns[],
): CardPlace[] {
  const getEnd = (places: readonly CardPlace[]): number =>
    Math.max(...places.map(({ top }, index) => top + cards[index]!.height));
  const kept = placeCards(cards, columnCount, gap, earlier);
  const shortest = placeCards(cards, columnCount, gap);
  return getEnd(kept) < getEnd(shortest) + MIN_GAIN_PX ? kept : shortest;
}

/** Returns how many columns a card has at least. */
function countColumns(size: DashboardCard['size'], columnCount: number): number {
  return Math.min({ narrow: 1, wide: 2, row: columnCount }[size], columnCount);
}

function chooseColumns(ends: readonly number[], minCount: number, isLastOfColumns: boolean): CardColumns {
  const tops = Array.from({ length: ends.length - minCount + 1 }, (_, first) =>
    Math.max(...ends.slice(first, first + minCount)),
  );
  const top = Math.min(...tops);
  let first = tops.indexOf(top);
  let afterLast = first + minCount;
  if (isLastOfColumns) {
    const isNearlyEqual = (column: number): boolean => Math.abs((ends[column] ?? Infinity) - top) <= NEARLY_EQUAL_PX;
    while (isNearlyEqual(first - 1)) first -= 1;
    while (isNearlyEqual(afterLast)) afterLast += 1;
  }
  return { first, count: afterLast - first };
}
