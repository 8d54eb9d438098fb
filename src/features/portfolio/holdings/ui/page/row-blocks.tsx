import { type AriaAttributes, type ReactNode, useEffect, useRef, useState } from 'react';
import { useIsPrinting } from '../../../../../ui/kit/use-is-printing.ts';
import type { PortfolioHolding } from '../../contract.ts';

/** Tables up to this number of rows render all of them. */
const MAX_RENDERED_ROWS = 40;
/** Rows of a longer table that are rendered before their position is measured, as many as a tall screen shows. */
const FIRST_ROWS = 20;
const BLOCK_ROWS = 10;
/** Distance in px from the viewport within which rows are rendered. */
const MARGIN_PX = 400;

/** Place of a row in a whole list, of which not all rows are rendered. */
export type ListPlace = Pick<AriaAttributes, 'aria-posinset' | 'aria-setsize'>;

type NamedRow = Pick<PortfolioHolding, 'symbol' | 'name'>;

interface RowBlocksProps<Row extends NamedRow> {
  rows: readonly Row[];
  /** Number of rows of the whole table. */
  total: number;
  /** Number of the table's rows above these. */
  rowsAbove: number;
  /** Returns the height in rem of a row that has not been rendered yet. */
  getHeight: (row: Row) => number;
  children: (row: Row, index: number) => ReactNode;
}

/**
 * Renders rows of holdings. In a long table, rows far from the viewport are only their names, which the browser's search
 * finds: hundreds of rows with all their figures take seconds on a slow device. A printed table has all rows.
 */
export function RowBlocks<Row extends NamedRow>({ rows, total, rowsAbove, getHeight, children }: RowBlocksProps<Row>) {
  if (total <= MAX_RENDERED_ROWS) return rows.map(children);
  return Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, block) => {
    const start = block * BLOCK_ROWS;
    return (
      <RowBlock
        key={start}
        rows={rows.slice(start, start + BLOCK_ROWS)}
        getHeight={getHeight}
        isInitiallyRendered={rowsAbove + start < FIRST_ROWS}
      >
        {(row, index) => children(row, start + index)}
      </RowBlock>
    );
  });
}

interface RowBlockProps<Row extends NamedRow> extends Pick<RowBlocksProps<Row>, 'rows' | 'getHeight' | 'children'> {
  isInitiallyRendered: boolean;
}

function RowBlock<Row extends NamedRow>({ rows, getHeight, isInitiallyRendered, children }: RowBlockProps<Row>) {
  const block = useRef<HTMLDivElement>(null);
  const isPrinted = useIsPrinting();
  /** Whether the block is near the viewport, and the measured height of a row in px. */
  const [{ isNear, rowHeight }, setState] = useState({ isNear: isInitiallyRendered, rowHeight: 0 });
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const { isIntersecting, target, boundingClientRect } = entries.at(-1)!;
        const isDisplayed = boundingClientRect.height > 0;
        // Without its element the focus would be lost.
        const hasFocus = target.contains(document.activeElement);
        if (!isIntersecting && (!isDisplayed || hasFocus)) return;
        const measured = boundingClientRect.height / target.childElementCount;
        setState((last) => {
          if (last.isNear === isIntersecting) return last;
          return { isNear: isIntersecting, rowHeight: isIntersecting ? last.rowHeight : measured };
        });
      },
      { rootMargin: `${MARGIN_PX}px 0px` },
    );
    observer.observe(block.current!);
    return () => observer.disconnect();
  }, []);
  const estimate = rows.reduce((sum, row) => sum + getHeight(row), 0) / rows.length;
  const height = rowHeight > 0 ? `${rowHeight}px` : `${estimate}rem`;
  return (
    <div ref={block}>
      {isNear || isPrinted ? (
        rows.map(children)
      ) : (
        <div
          aria-hidden="true"
          className="overflow-hidden px-4 text-start whitespace-pre text-ink-faint sm:px-5"
          style={{ height: `calc(${rows.length} * ${height})`, lineHeight: height }}
        >
          {rows.map(({ symbol, name }) => (symbol === null ? name : `${symbol} ${name}`)).join('\n')}
        </div>
      )}
    </div>
  );
}
