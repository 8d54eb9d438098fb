import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useMediaQuery } from '../../../../../ui/kit/use-media-query.ts';
import type { PortfolioHolding } from '../../contract.ts';

/** A table with at most so many rows is rendered whole. */
const MAX_WHOLE_TABLE_ROWS = 40;
/** Rows of a long table that are rendered before their place is known, as many as a tall screen shows. */
const FIRST_ROWS = 20;
const BLOCK_ROWS = 10;
/** Distance from the viewport within which a block has its rows. */
const NEAR_PX = 400;

type NamedRow = Pick<PortfolioHolding, 'symbol' | 'name'>;

interface RowBlocksProps<Row extends NamedRow> {
  rows: readonly Row[];
  /** Number of rows of the whole table. */
  total: number;
  /** Number of the table's rows above these. */
  above: number;
  /** Height of a row that has not been rendered yet, in CSS. */
  rowHeight: string;
  children: (row: Row, index: number) => ReactNode;
}

/**
 * Renders rows of holdings. In a long table, rows far from the viewport are only their names, which the browser's search
 * finds: hundreds of rows with all their figures take seconds on a slow device. A printed table has all rows.
 */
export function RowBlocks<Row extends NamedRow>({ rows, total, above, rowHeight, children }: RowBlocksProps<Row>) {
  const isPrinted = useMediaQuery('print');
  if (total <= MAX_WHOLE_TABLE_ROWS || isPrinted) return rows.map(children);
  return Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, block) => {
    const start = block * BLOCK_ROWS;
    return (
      <RowBlock
        key={start}
        rows={rows.slice(start, start + BLOCK_ROWS)}
        rowHeight={rowHeight}
        startsNear={above + start < FIRST_ROWS}
      >
        {(row, index) => children(row, start + index)}
      </RowBlock>
    );
  });
}

interface RowBlockProps<Row extends NamedRow> extends Pick<RowBlocksProps<Row>, 'rows' | 'rowHeight' | 'children'> {
  startsNear: boolean;
}

function RowBlock<Row extends NamedRow>({ rows, rowHeight, startsNear, children }: RowBlockProps<Row>) {
  const block = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ isNear: startsNear, height: `calc(${rows.length} * ${rowHeight})` });
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const { isIntersecting: isNear, target, boundingClientRect } = entries.at(-1)!;
        // The rows keep the focus that is in them.
        if (!isNear && target.contains(document.activeElement)) return;
        setPlace((last) => (last.isNear === isNear ? last : { isNear, height: `${boundingClientRect.height}px` }));
      },
      { rootMargin: `${NEAR_PX}px 0px` },
    );
    observer.observe(block.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={block}>
      {place.isNear ? (
        rows.map(children)
      ) : (
        <div
          aria-hidden="true"
          className="overflow-hidden px-4 text-start whitespace-pre text-ink-faint sm:px-5"
          style={{ height: place.height, lineHeight: `calc(${place.height} / ${rows.length})` }}
        >
          {rows.map(({ symbol, name }) => (symbol === null ? name : `${symbol} ${name}`)).join('\n')}
        </div>
      )}
    </div>
  );
}
