import type { ReactNode } from 'react';

interface Column {
  key: string;
  heading: ReactNode;
  /** Figures are aligned at the end. `whole` texts are not wrapped, and neither are figures. */
  kind?: 'figure' | 'whole' | undefined;
}

export interface ScrollTableProps {
  /** Name of the table for screen readers. */
  label: string;
  columns: readonly Column[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** Cells of a last row with the totals of columns. */
  total?: readonly ReactNode[];
  /** Whether the first cell of a row names it. */
  hasRowHeadings?: boolean;
  /** Whether the table has a border and scrolls vertically too, as a part of other content. */
  isFramed?: boolean;
}

const KIND_CLASSES = { figure: 'num text-end whitespace-nowrap', whole: 'whitespace-nowrap', text: '' } as const;

/** A table that scrolls horizontally where it is wider than its place. */
export function ScrollTable({
  label,
  columns,
  rows,
  total,
  hasRowHeadings = false,
  isFramed = false,
}: ScrollTableProps) {
  const padding = isFramed ? 'px-2 py-1.5' : 'py-2 pe-4 last:pe-0';
  const getCellClassName = (index: number): string =>
    `${padding} align-top ${KIND_CLASSES[columns[index]?.kind ?? 'text']}`;
  const renderCells = (cells: readonly ReactNode[]) =>
    cells.map((cell, index) =>
      hasRowHeadings && index === 0 ? (
        <th key="heading" scope="row" className={`${getCellClassName(0)} text-start [font-weight:inherit]`}>
          {cell}
        </th>
      ) : (
        <td key={columns[index]?.key ?? index} className={getCellClassName(index)}>
          {cell}
        </td>
      ),
    );
  return (
    // Focusable, so that keyboard users can scroll it.
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className={`relative overflow-auto rounded-control ${isFramed ? 'max-h-64 border border-line' : ''}`}
    >
      <table className="w-full text-small">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line text-ink-soft">
            {columns.map(({ key, heading, kind }) => (
              <th
                key={key}
                scope="col"
                className={`${padding} font-medium whitespace-nowrap ${kind === 'figure' ? 'text-end' : 'text-start'}`}
              >
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, cells }) => (
            <tr key={key}>{renderCells(cells)}</tr>
          ))}
        </tbody>
        {total && (
          <tfoot className="border-t border-line-strong font-medium">
            <tr>{renderCells(total)}</tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
