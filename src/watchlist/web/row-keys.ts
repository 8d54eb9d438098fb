import { useDeferredValue, useState } from 'react';
import type { ActiveItem } from '../contract.ts';
import type { SortChoice } from './sort-items.ts';

/** Rows in the order in which they stand; `keys[k]` is the key of the row of `items[k]`. */
export interface KeyedRows {
  sort: SortChoice;
  items: readonly ActiveItem[];
  keys: readonly number[];
  /** The first key that was never given. */
  next: number;
}

/**
 * Keys for the rows of a list. A row keeps its key, and with it its elements and the focus, while tickers come, go and are moved by hand.
 * By another sort nearly all change places at once: then the keys stay where they are and the rows' contents change. To move 250 rows
 * a browser has to build and lay out all of them; new contents cost it only those on screen (31 ms instead of 120 on a slow processor).
 */
export function keyRows(before: KeyedRows | undefined, sort: SortChoice, items: readonly ActiveItem[]): KeyedRows {
  const known = new Map(before?.items.map(({ symbol }, index) => [symbol, before.keys[index]!]));
  let next = before?.next ?? 0;
  if (before && before.sort !== sort && before.items.length === items.length && items.every(({ symbol }) => known.has(symbol))) {
    return { sort, items, keys: before.keys, next };
  }
  return { sort, items, keys: items.map(({ symbol }) => known.get(symbol) ?? next++), next };
}

/** Rows that are drawn at once by another sort: more than any screen shows. */
const AT_ONCE = 30;

/**
 * The rows to draw. By another sort those from `top` on, which are on screen, have their new contents at once and all others when there is
 * time: nobody sees them, and drawing 250 would hold up the paint.
 */
export function useKeyedRows(sort: SortChoice, items: readonly ActiveItem[], top: number): KeyedRows {
  const [drawn, setDrawn] = useState(() => keyRows(undefined, sort, items));
  const keyed = drawn.items === items ? drawn : keyRows(drawn, sort, items);
  if (keyed !== drawn) setDrawn(keyed);
  const settled = useDeferredValue(keyed);
  if (settled === keyed || settled.keys !== keyed.keys) return keyed;
  return { ...keyed, items: items.map((item, index) => (index >= top && index < top + AT_ONCE ? item : settled.items[index]!)) };
}
