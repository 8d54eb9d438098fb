import { useDeferredValue, useState } from 'react';
import type { ActiveItem } from '../../contract.ts';
import type { SortChoice } from '../list/sort-items.ts';

/** Rows in the order in which they stand; `keys[k]` is the key of the row of `items[k]`. */
export interface KeyedRows {
  sort: SortChoice;
  items: readonly ActiveItem[];
  keys: readonly number[];
  /** The first key that was never given. */
  next: number;
}

/**
 * Keys for the rows of a list. A row keeps its key, and with it its elements and the focus, while tickers come, go and
 * are moved by hand. By another sort nearly all change places at once: then the keys stay where they are and the rows'
 * contents change. To move 250 rows a browser has to build and lay out all of them; new contents cost it only those on
 * screen (31 ms instead of 120 on a slow processor).
 */
export function keyRows(before: KeyedRows | undefined, sort: SortChoice, items: readonly ActiveItem[]): KeyedRows {
  const known = new Map(before?.items.map(({ symbol }, index) => [symbol, before.keys[index]!]));
  let next = before?.next ?? 0;
  if (
    before &&
    before.sort !== sort &&
    before.items.length === items.length &&
    items.every(({ symbol }) => known.has(symbol))
  ) {
    return { sort, items, keys: before.keys, next };
  }
  return { sort, items, keys: items.map(({ symbol }) => known.get(symbol) ?? next++), next };
}

/** Up to so many rows are drawn at once wherever they are. */
const FEW = 40;

/** Whether the row at an index is drawn at once. */
export type IsUrgent = (index: number) => boolean;

export const allUrgent: IsUrgent = () => true;

/**
 * Of a long list the rows on screen, whether the page is scrolled or the list itself: drawing 250 would hold up the
 * paint, and the others can follow when there is time. All rows have the same height.
 */
export function urgentRows(list: HTMLUListElement | null): IsUrgent {
  const height = list?.firstElementChild?.getBoundingClientRect().height;
  if (!list || !height || list.childElementCount <= FEW) return allUrgent;
  const { top, bottom } = list.getBoundingClientRect();
  const above = list.scrollTop - top;
  const from = Math.floor((above + Math.max(top, 0)) / height);
  const to = Math.ceil((above + Math.min(bottom, window.innerHeight)) / height);
  return (index) => index >= from && index < to;
}

/** The rows to draw. By another sort urgent ones have their new contents at once, all others when there is time. */
export function useKeyedRows(sort: SortChoice, items: readonly ActiveItem[], isUrgent: IsUrgent): KeyedRows {
  const [drawn, setDrawn] = useState(() => keyRows(undefined, sort, items));
  const keyed = drawn.items === items ? drawn : keyRows(drawn, sort, items);
  if (keyed !== drawn) setDrawn(keyed);
  const settled = useDeferredValue(keyed);
  if (settled === keyed || settled.keys !== keyed.keys) return keyed;
  return { ...keyed, items: items.map((item, index) => (isUrgent(index) ? item : settled.items[index]!)) };
}
