import type { ReactNode } from 'react';

interface PlainTableProps {
  caption: string;
  columns: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  emptyText: string;
}

/** Table that scrolls horizontally on narrow screens. The first cell of a row is its heading. */
export function PlainTable({ caption, columns, rows, emptyText }: PlainTableProps) {
  if (rows.length === 0) return <p className="text-ink-soft">{emptyText}</p>;
  return (
    <div
      role="region"
      aria-label={caption}
      // Scrollable content must be reachable by keyboard.
      tabIndex={0}
      className="relative overflow-x-auto rounded-control"
    >
      <table className="w-full text-small">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-left text-ink-soft">
            {columns.map((name) => (
              <th key={name} scope="col" className="py-2 pe-4 font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, cells: [heading, ...cells] }) => (
            <tr key={key}>
              <th scope="row" className="py-2 pe-4 text-left align-top font-normal">
                <span className="block min-w-28 wrap-anywhere">{heading}</span>
              </th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]} className="py-2 pe-4 align-top">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
