/** One CSV record with the line (from 1) on which the record starts. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** Separators of CSV files, in this and in other programs. */
export const SEPARATORS = [',', ';', '\t'] as const;

/** Returns the number of separators and line breaks in a text, those in quotes included, which parsing takes time for. */
export const countSeparators = (text: string): number => text.split(/[,;\t\r\n]/).length - 1;

/** Separator line that spreadsheets write first and skip on import. */
const SEPARATOR_LINE = /^"?sep=([,;|\t])"?(?:\n|$)/i;

/**
 * Splits CSV text (RFC 4180) at any of the separators. Quoted cells may contain separators, line breaks and doubled
 * quotes. A first line `sep=;` names the only separator. Cells are trimmed and empty records are omitted. An unclosed
 * quote ends with its line, so that one typing error affects one line only.
 */
export function parseCsv(text: string, separators: readonly string[] = SEPARATORS): CsvRecord[] {
  const records: CsvRecord[] = [];
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const separatorLine = SEPARATOR_LINE.exec(source);
  const readCell = createCellReader(source, separatorLine ? separatorLine[1]! : separators.join(''));
  let cells: string[] = [];
  let line = separatorLine ? 2 : 1;
  let recordLine = line;
  const endRecord = (): void => {
    if (cells.some((cell) => cell !== '')) records.push({ line: recordLine, cells });
    cells = [];
  };
  for (let position = separatorLine ? separatorLine[0].length : 0; position <= source.length;) {
    const { cell, end } = readCell(position);
    if (cell.includes('\n')) line += cell.split('\n').length - 1;
    cells.push(cell.trim());
    const separator = source[end];
    if (separator === '\n' || separator === undefined) {
      endRecord();
      line += 1;
      recordLine = line;
    }
    position = end + 1;
  }
  return records;
}

/** Returns a function that reads the cell at a position of the text and returns the position of its separator. */
function createCellReader(source: string, separators: string): (position: number) => { cell: string; end: number } {
  const blankPattern = `[^\\S\\n${separators}]*`;
  const plainCell = new RegExp(`[^${separators}\\n]*`, 'y');
  const quotedCell = new RegExp(`${blankPattern}"((?:[^"]|"")*)"${blankPattern}(?=[${separators}\\n]|$)`, 'y');
  return (position) => {
    quotedCell.lastIndex = position;
    const quotedMatch = quotedCell.exec(source);
    if (quotedMatch) return { cell: quotedMatch[1]!.replaceAll('""', '"'), end: quotedCell.lastIndex };
    plainCell.lastIndex = position;
    const [plain = ''] = plainCell.exec(source) ?? [];
    return { cell: plain.replaceAll('"', ''), end: position + plain.length };
  };
}
