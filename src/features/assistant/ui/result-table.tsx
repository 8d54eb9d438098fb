import { formatCount } from '../../../ui/kit/format-count.ts';
import { MaskedAmount } from '../../../ui/kit/masked-amount.tsx';
import { ScrollTable } from '../../../ui/kit/scroll-table.tsx';
import { SecurityLink } from '../../../ui/shell/navigation/security-link.tsx';
import type { Cell } from '../contract.ts';
import { MaskedText } from './masked-text.tsx';
import { toColumns } from './figures.ts';

/** Maximum number of displayed rows of a look-up. A note states the number of further rows. */
const MAX_SHOWN_ROWS = 10;

/** Name of a column whose cells are tickers, in reports and in results of SQL. */
const SYMBOL_COLUMN = /^symbol$/i;

interface ResultTableProps {
  label: string;
  table: { columns: readonly string[]; rows: readonly (readonly Cell[])[]; truncated: boolean };
  privacy: boolean;
  /** Columns that privacy mode hides in a report, which shows all rows. It hides every figure of another table. */
  amountColumns?: readonly string[];
}

/** Returns the tickers in the columns of symbols. */
export const listSymbols = ({ columns, rows }: Pick<ResultTableProps['table'], 'columns' | 'rows'>): string[] =>
  rows.flatMap((row) =>
    row.filter((cell, column): cell is string => typeof cell === 'string' && SYMBOL_COLUMN.test(columns[column] ?? '')),
  );

/** Shows the rows of a tool result. */
export function ResultTable({ label, table, privacy, amountColumns }: ResultTableProps) {
  const { columns, rows, truncated } = table;
  if (rows.length === 0) return <p className="text-small text-ink-faint">No results.</p>;
  const isReport = amountColumns !== undefined;
  const formatCell = isReport ? formatReportCell : formatRawCell;
  const shownRows = isReport ? rows : rows.slice(0, MAX_SHOWN_ROWS);
  const hiddenCount = rows.length - shownRows.length;
  const remarks = [
    ...(hiddenCount > 0 ? [`${formatCount(hiddenCount, 'more row is', 'more rows are')} not shown.`] : []),
    ...(truncated ? ['More results exist than are shown.'] : []),
  ];
  return (
    <>
      <ScrollTable
        label={label}
        isFramed
        columns={toColumns(
          columns,
          shownRows.map((row) => row.map(formatCell)),
        )}
        rows={shownRows.map((row, index) => ({
          key: String(index),
          cells: row.map((cell, column) => {
            const name = columns[column] ?? '';
            if (typeof cell === 'string' && SYMBOL_COLUMN.test(name))
              return (
                <SecurityLink key={column} symbol={cell} className="link">
                  {cell}
                </SecurityLink>
              );
            if (!isReport) return <MaskedText key={column} text={formatCell(cell)} privacy={privacy} />;
            return (
              <MaskedAmount key={column} hidden={privacy && cell !== null && amountColumns.includes(name)} mask="888">
                {formatCell(cell)}
              </MaskedAmount>
            );
          }),
        }))}
      />
      {remarks.length > 0 && <p className="text-micro text-ink-faint">{remarks.join(' ')}</p>}
    </>
  );
}

/** Formats a raw cell, with a typographic minus. */
function formatRawCell(cell: Cell): string {
  if (cell === null) return 'none';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return String(cell).replace(/^-(?=\d)/, '\u2212');
}

/** Formats a cell of a report, which has texts in the formats of the screens. */
const formatReportCell = (cell: Cell): string => (cell === null ? '–' : formatRawCell(cell));
