import type { DashboardCard, PortfolioPresence } from './shared/dashboard-card.ts';

/** Column spans of a card in grids of two and of three columns, and the rows that it takes in the latter. */
export type Span = readonly [ofTwo: number, ofThree: number, rowsOfThree: number];

/**
 * Returns the column spans of the cards in the member's order, without holes in a row. A card of the size `row` has its
 * own row, and the last card before it fills its row. In three columns a wide card stands beside two narrow ones, each as
 * high as its content.
 */
export function computeColumnSpans(cards: readonly Pick<DashboardCard, 'size'>[]): Span[] {
  const sizes = cards.map(({ size }) => size);
  const ofTwo = computeSpans(sizes, 2);
  const ofThree = computeSpans(sizes, 3);
  return sizes.map((_size, index) => [ofTwo[index]!.columns, ofThree[index]!.columns, ofThree[index]!.rows]);
}

/** Returns which of the small cards share a phone row: two consecutive ones. */
export function pairHalfWidthCards(
  cards: readonly Pick<DashboardCard, 'needs'>[],
  presence: PortfolioPresence,
): boolean[] {
  const isSmall = cards.map(({ needs }) => needs !== undefined && !presence[needs]);
  const isPaired = cards.map(() => false);
  for (let index = 0; index + 1 < cards.length; index += 1) {
    if (isPaired[index] || !isSmall[index] || !isSmall[index + 1]) continue;
    isPaired[index] = true;
    isPaired[index + 1] = true;
  }
  return isPaired;
}

function computeSpans(sizes: readonly DashboardCard['size'][], columns: number): { columns: number; rows: number }[] {
  let column = 0;
  let besideTall = 0;
  return sizes.map((size, index) => {
    if (besideTall > 0) {
      besideTall -= 1;
      return { columns: 1, rows: 1 };
    }
    const next = sizes[index + 1];
    if (size === 'wide' && columns === 3 && column === 0 && next === 'narrow' && sizes[index + 2] === 'narrow') {
      besideTall = 2;
      return { columns: 2, rows: 2 };
    }
    const freeColumns = columns - column;
    const endsRow = next === undefined || next === 'row';
    const span = size === 'row' || endsRow ? freeColumns : Math.min(size === 'wide' ? 2 : 1, freeColumns);
    column = (column + span) % columns;
    return { columns: span, rows: 1 };
  });
}

/** Returns the list with one entry moved by `offset`, limited to the ends. */
export function moveEntry<Entry>(entries: readonly Entry[], entry: Entry, offset: number): Entry[] {
  const from = entries.indexOf(entry);
  const rest = entries.toSpliced(from, 1);
  return from === -1 ? [...entries] : rest.toSpliced(Math.max(0, Math.min(rest.length, from + offset)), 0, entry);
}
