import type { DashboardCard, PortfolioPresence } from '../../../../ui/shell/dashboard/dashboard-card.ts';

/** How many columns a card takes where there are two, and where there are three. */
export type Span = readonly [ofTwo: number, ofThree: number];

/**
 * How many columns each card takes: the eye reads the order that the member chose, and no row has a hole. A card of the
 * size `row` has rows of its own; the last card before it fills its row.
 */
export function computeColumnSpans(cards: readonly Pick<DashboardCard, 'size'>[]): Span[] {
  const sizes = cards.map(({ size }) => size);
  const twoColumnSpans = computeSpans(sizes, 2);
  const threeColumnSpans = computeSpans(sizes, 3);
  return sizes.map((_size, index) => [twoColumnSpans[index]!, threeColumnSpans[index]!]);
}

/** Which of the small cards share a row of a phone: two that follow one another. */
export function pairHalfWidthCards(
  cards: readonly Pick<DashboardCard, 'needs'>[],
  presence: PortfolioPresence,
): boolean[] {
  const isSmall = cards.map(({ needs }) => needs !== undefined && !presence[needs]);
  const isPaired = cards.map(() => false);
  for (let index = 0; index + 1 < cards.length; index += 1) {
    if (isPaired[index] || !isSmall[index] || !isSmall[index + 1]) continue;
    isPaired[index] = isPaired[index + 1] = true;
  }
  return isPaired;
}

function computeSpans(sizes: readonly DashboardCard['size'][], columns: number): number[] {
  let column = 0;
  return sizes.map((size, index) => {
    const freeColumns = columns - column;
    const next = sizes[index + 1];
    const endsRow = next === undefined || next === 'row';
    const span = size === 'row' || endsRow ? freeColumns : Math.min(size === 'wide' ? 2 : 1, freeColumns);
    column = (column + span) % columns;
    return span;
  });
}

/** The list with one entry moved by so many places, at most to its ends. */
export function moveEntry<Entry>(entries: readonly Entry[], entry: Entry, offset: number): Entry[] {
  const from = entries.indexOf(entry);
  const rest = entries.toSpliced(from, 1);
  return from === -1 ? [...entries] : rest.toSpliced(Math.max(0, Math.min(rest.length, from + offset)), 0, entry);
}
