/** Byte order mark. Without it a spreadsheet reads the file in another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Cell of a CSV file. A `decimal` is a `numeric` of the database, which no number type holds with all its digits. */
type CsvCell = string | number | { decimal: string };

/** Formats one line of a CSV file (RFC 4180). */
export const formatCsvLine = (cells: readonly CsvCell[]): string => `${cells.map(formatAnyCell).join(',')}\r\n`;

function formatAnyCell(cell: CsvCell): string {
  if (typeof cell === 'object') return formatDecimal(cell.decimal);
  return typeof cell === 'number' ? String(cell) : formatCell(cell);
}

/** Removes zeros without meaning. Three decimals keep one, so that no reader takes the point for thousands. */
function formatDecimal(decimal: string): string {
  const [integer = '', fraction = ''] = decimal.split('.');
  const digits = fraction.replace(/0+$/, '');
  if (digits === '') return integer;
  return `${integer}.${digits.length === 3 ? `${digits}0` : digits}`;
}

/** Prefixes text that begins like a formula with an apostrophe. A spreadsheet would otherwise execute the cell. */
function formatCell(text: string): string {
  const formulaSafe = /^[\s]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(formulaSafe) ? `"${formulaSafe.replaceAll('"', '""')}"` : formulaSafe;
}
