/** One record of a CSV with the line (from 1) that it begins on. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** What CSV is separated by, here and in other programs' files. */
export const SEPARATORS = [',', ';', '\t'] as const;

/** Spreadsheets write this in front, and leave it out when they read. */
const NAMED = /^"?sep=([,;|\t])"?(?:\n|$)/i;

/**
 * Splits CSV text (RFC 4180: quoted cells may hold separators, line ends and doubled quotes) at any of the separators;
 * a first line `sep=;` names the only one. Cells are trimmed, empty records left out. A quote that is never closed ends
 * with its line, so that one typing error cannot swallow a file.
 */
export function readCsv(text: string, separators: readonly string[] = SEPARATORS): CsvRecord[] {
  const records: CsvRecord[] = [];
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const named = NAMED.exec(source);
  const readCell = cellReader(source, named ? named[1]! : separators.join(''));
  let cells: string[] = [];
  let line = named ? 2 : 1;
  let begun = line;
  const endRecord = (): void => {
    if (cells.some((cell) => cell !== '')) records.push({ line: begun, cells });
    cells = [];
  };
  for (let at = named ? named[0].length : 0; at <= source.length;) {
    const { cell, end } = readCell(at);
    line += cell.split('\n').length - 1;
    cells.push(cell.trim());
    const separator = source[end];
    if (separator === '\n' || separator === undefined) {
      endRecord();
      line += 1;
      begun = line;
    }
    at = end + 1;
  }
  return records;
}

/** Reads the cell that begins at a place of the text, and says where its separator stands. */
function cellReader(source: string, separators: string): (at: number) => { cell: string; end: number } {
  const blank = `[^\\S\\n${separators}]*`;
  const plainCell = new RegExp(`[^${separators}\\n]*`, 'y');
  const quotedCell = new RegExp(`${blank}"((?:[^"]|"")*)"${blank}(?=[${separators}\\n]|$)`, 'y');
  return (at) => {
    quotedCell.lastIndex = at;
    const quoted = quotedCell.exec(source);
    if (quoted) return { cell: quoted[1]!.replaceAll('""', '"'), end: quotedCell.lastIndex };
    plainCell.lastIndex = at;
    const [plain = ''] = plainCell.exec(source) ?? [];
    return { cell: plain.replaceAll('"', ''), end: at + plain.length };
  };
}
