import type { CardId } from '../../dashboard/contract.ts';
import type { PortfolioState } from '../cards/card-shell.tsx';

/** How many columns a card takes where there are two, and where there are three. */
export type Span = readonly [ofTwo: number, ofThree: number];

/**
 * How many columns each card takes: the eye reads the order that the member chose, and no row has a hole. The watchlist
 * has rows of its own, since it alone is as high as what is on it; the last card before it fills its row.
 */
export function placeInColumns(ids: readonly CardId[]): Span[] {
  const ofTwo = spansOf(ids, 2);
  const ofThree = spansOf(ids, 3);
  return ids.map((_id, index) => [ofTwo[index]!, ofThree[index]!]);
}

/** Which of the small cards share a row of a phone: two that follow one another. */
export function pairSmall(ids: readonly CardId[], { worth, holdings, follows }: PortfolioState): boolean[] {
  const has: Record<CardId, boolean> = {
    net_worth: worth,
    holdings,
    earnings: follows,
    news: follows,
    watchlist: true,
  };
  const paired = ids.map(() => false);
  for (let at = 0; at + 1 < ids.length; at += 1) {
    if (paired[at] || has[ids[at]!] || has[ids[at + 1]!]) continue;
    paired[at] = paired[at + 1] = true;
  }
  return paired;
}

function spansOf(ids: readonly CardId[], columns: number): number[] {
  let at = 0;
  return ids.map((id, index) => {
    const free = columns - at;
    const next = ids[index + 1];
    const endsRow = next === undefined || next === 'watchlist';
    const span = id === 'watchlist' || endsRow ? free : Math.min(id === 'net_worth' ? 2 : 1, free);
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
