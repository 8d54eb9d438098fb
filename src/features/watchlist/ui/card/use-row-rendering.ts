import { type RefObject, useCallback, useDeferredValue, useState } from 'react';
import type { ActiveItem } from '../../contract.ts';
import type { LineChoice } from '../list/second-line.ts';

/** A row to render. */
interface RenderedRow {
  key: number;
  item: ActiveItem;
  /** Choice for the line below the price. */
  line: LineChoice;
}

interface RowRenderingOptions {
  /** Items in display order. */
  items: readonly ActiveItem[];
  /** Name of the order. */
  sort: string;
  line: LineChoice;
  list: RefObject<HTMLElement | null>;
}

interface RowRendering {
  rows: RenderedRow[];
  /** Line choice of the rows outside the viewport. */
  deferredLine: LineChoice;
  /** Call before the sort or the line changes. The rows in the viewport then render first. */
  prioritizeViewport: () => void;
}

/**
 * Renders a long list so that input gets an immediate response. Each of the three rules was measured with 250 rows on a
 * slow processor:
 * 1. On a new sort, rows keep their elements and change their contents (31 ms instead of 120; see `assignRowKeys`).
 * 2. Rows in the viewport render at once. The others follow in a deferred update that delays no paint.
 * 3. The line below the prices follows the second rule.
 */
export function useRowRendering({ items, sort, line, list }: RowRenderingOptions): RowRendering {
  const [isInViewport, setInViewport] = useState<IsInViewport>(() => allInViewport);
  const [previousRows, setPreviousRows] = useState(() => assignRowKeys(undefined, sort, items));
  const currentRows = previousRows.items === items ? previousRows : assignRowKeys(previousRows, sort, items);
  // The keys depend on the previous rendering. React allows a component to set this state during rendering.
  if (currentRows !== previousRows) setPreviousRows(currentRows);
  const deferredRows = useDeferredValue(currentRows);
  const deferredLine = useDeferredValue(line);
  const isResorted = deferredRows !== currentRows && deferredRows.keys === currentRows.keys;
  const rows = items.map((item, index) => {
    const isVisible = isInViewport(index);
    return {
      key: currentRows.keys[index]!,
      item: isResorted && !isVisible ? deferredRows.items[index]! : item,
      line: isVisible ? line : deferredLine,
    };
  });
  const prioritizeViewport = useCallback(() => setInViewport(() => getViewportPredicate(list.current)), [list]);
  return { rows, deferredLine, prioritizeViewport };
}

/** Rows in display order. `keys[k]` is the key of `items[k]`. */
export interface KeyedRows {
  sort: string;
  items: readonly ActiveItem[];
  keys: readonly number[];
  /** First unused key. */
  nextKey: number;
}

/**
 * Assigns keys to the rows of a list. A row keeps its key, its elements and the focus when tickers are added, removed
 * or moved by hand. On a new sort, nearly all rows move at once. The keys then stay in place and the contents change.
 * Moving 250 rows forces a layout of all of them. New contents need a layout only of the visible rows (31 ms instead of
 * 120 on a slow processor).
 */
export function assignRowKeys(previous: KeyedRows | undefined, sort: string, items: readonly ActiveItem[]): KeyedRows {
  const keyBySymbol = new Map(previous?.items.map(({ symbol }, index) => [symbol, previous.keys[index]!]));
  let nextKey = previous?.nextKey ?? 0;
  if (
    previous &&
    previous.sort !== sort &&
    previous.items.length === items.length &&
    items.every(({ symbol }) => keyBySymbol.has(symbol))
  ) {
    return { sort, items, keys: previous.keys, nextKey };
  }
  return { sort, items, keys: items.map(({ symbol }) => keyBySymbol.get(symbol) ?? nextKey++), nextKey };
}

/** Maximum rows that render at once, without a deferred update. */
const MAX_UNDEFERRED_ROWS = 40;

/** Returns whether the row at an index is in the viewport. */
type IsInViewport = (index: number) => boolean;

const allInViewport: IsInViewport = () => true;

/**
 * Returns a predicate for the rows in the viewport, whether the page or the list scrolls. All rows have equal height.
 */
function getViewportPredicate(list: HTMLElement | null): IsInViewport {
  const height = list?.firstElementChild?.getBoundingClientRect().height;
  if (!list || !height || list.childElementCount <= MAX_UNDEFERRED_ROWS) return allInViewport;
  const { top, bottom } = list.getBoundingClientRect();
  const offsetAbove = list.scrollTop - top;
  const from = Math.floor((offsetAbove + Math.max(top, 0)) / height);
  const to = Math.ceil((offsetAbove + Math.min(bottom, window.innerHeight)) / height);
  return (index) => index >= from && index < to;
}
