import type { CardId } from '../../dashboard/contract.ts';

const COLUMNS = 3;
/** Cards that use two columns where there is room for them. */
const wide: ReadonlySet<CardId> = new Set(['net_worth']);

/** How many of three columns each card takes: the eye reads the order that the member chose, and no row has a hole in
 * its middle. */
export function placeInColumns(ids: readonly CardId[]): (1 | 2)[] {
  let at = 0;
  return ids.map((id, index) => {
    const alone = at === COLUMNS - 1;
    const lastOfTwo = index === ids.length - 1 && at === 1;
    const span = (wide.has(id) && !alone) || lastOfTwo ? 2 : 1;
    at = (at + span) % COLUMNS;
    return span;
  });
}

/** The list with one entry moved by so many places, at most to its ends. */
export function moved<Entry>(entries: readonly Entry[], entry: Entry, by: number): Entry[] {
  const from = entries.indexOf(entry);
  const rest = entries.toSpliced(from, 1);
  return from === -1 ? [...entries] : rest.toSpliced(Math.max(0, Math.min(rest.length, from + by)), 0, entry);
}
