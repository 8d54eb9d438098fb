import { type RefObject, useCallback, useDeferredValue, useState } from 'react';
import type { ActiveItem } from '../../contract.ts';
import type { LineChoice } from '../list/second-line.ts';
import type { SortChoice } from '../list/sort-items.ts';

/** A row to render. */
interface RenderedRow {
  key: number;
  item: ActiveItem;
  /** What stands under its price. */
  line: LineChoice;
}

interface RowRenderingOptions {
  /** In the order in which they are shown. */
  items: readonly ActiveItem[];
  sort: SortChoice;
  line: LineChoice;
  list: RefObject<HTMLUListElement | null>;
}

interface RowRendering {
  rows: RenderedRow[];
  /** The line as rows outside of the viewport have it. */
  deferredLine: LineChoice;
  /** To be called before a sort or a line is chosen: the rows in the viewport change first. */
  prioritizeViewport: () => void;
}

/**
 * Renders a long list so that a choice is answered at once. Three rules, each measured with 250 rows on a processor
 * that is slowed down:
 * 1. By another sort the rows keep their elements and change their contents (31 ms instead of 120; see `assignRowKeys`).
 * 2. Rows in the viewport change at once, the others in a deferred update that holds up no paint.
 * 3. The line under the prices follows in the same way.
 */
export function useRowRendering({ items, sort, line, list }: RowRenderingOptions): RowRendering {
  const [isInViewport, setInViewport] = useState<IsInViewport>(() => allInViewport);
  const [previousRows, setPreviousRows] = useState(() => assignRowKeys(undefined, sort, items));
  const currentRows = previousRows.items === items ? previousRows : assignRowKeys(previousRows, sort, items);
  // The keys depend on those of the rendering before, which React lets a component store while it renders.
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

/** Rows in the order in which they stand; `keys[k]` is the key of the row of `items[k]`. */
export interface KeyedRows {
  sort: SortChoice;
  items: readonly ActiveItem[];
  keys: readonly number[];
  /** The first key that was never given. */
  nextKey: number;
}

/**
 * Keys for the rows of a list. A row keeps its key, and with it its elements and the focus, while tickers come, go and
 * are moved by hand. By another sort nearly all change places at once: then the keys stay where they are and the rows'
 * contents change. To move 250 rows a browser has to build and lay out all of them; new contents cost it only those on
 * screen (31 ms instead of 120 on a slow processor).
 */
export function assignRowKeys(
  previous: KeyedRows | undefined,
  sort: SortChoice,
  items: readonly ActiveItem[],
): KeyedRows {
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

/** A list of up to so many rows is rendered at once. */
const MAX_UNDEFERRED_ROWS = 40;

/** Whether the row at an index is in the viewport. */
type IsInViewport = (index: number) => boolean;

const allInViewport: IsInViewport = () => true;

/** The rows in the viewport, whether the page is scrolled or the list itself. All rows have the same height. */
function getViewportPredicate(list: HTMLUListElement | null): IsInViewport {
  const height = list?.firstElementChild?.getBoundingClientRect().height;
  if (!list || !height || list.childElementCount <= MAX_UNDEFERRED_ROWS) return allInViewport;
  const { top, bottom } = list.getBoundingClientRect();
  const offsetAbove = list.scrollTop - top;
  const from = Math.floor((offsetAbove + Math.max(top, 0)) / height);
  const to = Math.ceil((offsetAbove + Math.min(bottom, window.innerHeight)) / height);
  return (index) => index >= from && index < to;
}
