import type { ReactNode } from 'react';
import { isFigureColumn } from './figures.ts';

interface TableFrameProps {
  label: string;
  head: readonly ReactNode[];
  rows: readonly (readonly ReactNode[])[];
  /** Texts of the cells. Columns of figures are right-aligned. */
  texts: readonly (readonly string[])[];
}

/** A small table that scrolls horizontally if it is wider than the panel. */
export const TableFrame = ({ label, head, rows, texts }: TableFrameProps) => {
  const alignment = head.map((_, column) =>
    isFigureColumn(texts.map((row) => row[column] ?? '')) ? 'text-end' : 'text-start',
  );
  return (
    // Focusable, so that keyboard users can scroll it.
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="max-h-64 overflow-auto rounded-control border border-line"
    >
      <table className="w-full text-small">
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th
                key={index}
                scope="col"
                className={`px-2 py-1.5 ${alignment[index]} font-medium whitespace-nowrap text-ink-faint`}
              >
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className="border-t border-line">
              {row.map((cell, column) => (
                <td key={column} className={`px-2 py-1.5 ${alignment[column]} align-top`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
