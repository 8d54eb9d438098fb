/** Byte order mark. Without it a spreadsheet reads the file in another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Formats one line of a CSV file (RFC 4180). */
export const formatCsvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : formatCell(cell))).join(',')}\r\n`;

/** Prefixes text that begins like a formula with an apostrophe. A spreadsheet would otherwise execute the cell. */
function formatCell(text: string): string {
  const formulaSafe = /^[\s]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(formulaSafe) ? `"${formulaSafe.replaceAll('"', '""')}"` : formulaSafe;
}
