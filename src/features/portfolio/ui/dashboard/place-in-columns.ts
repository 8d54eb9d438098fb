import type { DashboardCard, PortfolioState } from '../../../../ui/shell/dashboard/dashboard-card.ts';

/** How many columns a card takes where there are two, and where there are three. */
export type Span = readonly [ofTwo: number, ofThree: number];

/**
 * How many columns each card takes: the eye reads the order that the member chose, and no row has a hole. A card of the
 * size `row` has rows of its own; the last card before it fills its row.
 */
export function placeInColumns(cards: readonly Pick<DashboardCard, 'size'>[]): Span[] {
  const sizes = cards.map(({ size }) => size);
  const ofTwo = spansOf(sizes, 2);
  const ofThree = spansOf(sizes, 3);
  return sizes.map((_size, index) => [ofTwo[index]!, ofThree[index]!]);
}

/** Which of the small cards share a row of a phone: two that follow one another. */
export function pairSmall(cards: readonly Pick<DashboardCard, 'needs'>[], has: PortfolioState): boolean[] {
  const isSmall = cards.map(({ needs }) => needs !== undefined && !has[needs]);
  const paired = cards.map(() => false);
  for (let at = 0; at + 1 < cards.length; at += 1) {
    if (paired[at] || !isSmall[at] || !isSmall[at + 1]) continue;
    paired[at] = paired[at + 1] = true;
  }
  return paired;
}

function spansOf(sizes: readonly DashboardCard['size'][], columns: number): number[] {
  let at = 0;
  return sizes.map((size, index) => {
    const free = columns - at;
    const next = sizes[index + 1];
    const endsRow = next === undefined || next === 'row';
    const span = size === 'row' || endsRow ? free : Math.min(size === 'wide' ? 2 : 1, free);
    at = (at + span) % columns;
    return span;
  });
}

/** The list with one entry moved by so many places, at most to its ends. */
export function moved<Entry>(entries: readonly Entry[], entry: Entry, by: number): Entry[] {
  const from = entries.indexOf(entry);
  const rest = entries.toSpliced(from, 1);
  return from === -1 ? [...entries] : rest.toSpliced(Math.max(0, Math.min(rest.length, from + by)), 0, entry);
}
