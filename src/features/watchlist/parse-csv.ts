/** One record of a CSV with the line (from 1) that it begins on. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** What CSV is separated by, here and in other programs' files. */
export const SEPARATORS = [',', ';', '\t'] as const;

/** Spreadsheets write this in front, and leave it out when they read. */
const SEPARATOR_LINE = /^"?sep=([,;|\t])"?(?:\n|$)/i;

/**
 * Splits CSV text (RFC 4180: quoted cells may hold separators, line ends and doubled quotes) at any of the separators;
 * a first line `sep=;` names the only one. Cells are trimmed, empty records left out. A quote that is never closed ends
 * with its line, so that one typing error cannot swallow a file.
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
    line += cell.split('\n').length - 1;
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

/** Reads the cell that begins at a place of the text, and says where its separator stands. */
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
