/** Without it a spreadsheet takes the names for another encoding's. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** One line of a CSV file (RFC 4180). */
export const formatCsvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : formatCell(cell))).join(',')}\r\n`;

/**
 * A spreadsheet runs a cell that begins like a formula, so such text gets an apostrophe in front: it is shown, not run.
 */
function formatCell(text: string): string {
  const formulaSafe = /^[\s]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(formulaSafe) ? `"${formulaSafe.replaceAll('"', '""')}"` : formulaSafe;
}
