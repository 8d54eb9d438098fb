export interface FigureTableProps {
  caption: string;
  /** Column headers. The first is that of the row names. */
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Number of leading columns that contain text instead of figures. */
  labelColumnCount?: number;
}

/** Shows figures as a table that scrolls horizontally on narrow screens. */
export function FigureTable({ caption, columns, rows, labelColumnCount = 1 }: FigureTableProps) {
  const getCellClassName = (index: number): string => (index < labelColumnCount ? 'pe-3 text-left' : 'ps-3 text-right');
  return (
    <div
      role="region"
      aria-label={caption}
      // Scrollable content must be reachable by keyboard.
      tabIndex={0}
      className="mt-4 overflow-x-auto rounded-control"
    >
      <table className="w-full text-small">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-ink-soft">
            {columns.map((name, index) => (
              <th key={name} scope="col" className={`py-2 font-medium whitespace-nowrap ${getCellClassName(index)}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(([name, ...cells], index) => (
            <tr key={`${name} ${index}`}>
              <th scope="row" className="py-2 pe-3 text-left font-normal whitespace-nowrap">
                {name}
              </th>
              {cells.map((cell, cellIndex) => (
                <td
                  key={columns[cellIndex + 1]}
                  className={`num py-2 whitespace-nowrap ${getCellClassName(cellIndex + 1)}`}
                >
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
