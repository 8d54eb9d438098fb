/** One record of a CSV with the line (from 1) that it begins on. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/**
 * Splits CSV text (RFC 4180: quoted cells may hold separators, line ends and doubled quotes) at `,`, `;` and tabs. Cells are trimmed,
 * empty records left out. A quote that is never closed ends with its line, so that one typing error cannot swallow a file.
 */
export function readCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  let cells: string[] = [];
  let line = 1;
  let begun = 1;
  const endRecord = (): void => {
    if (cells.some((cell) => cell !== '')) records.push({ line: begun, cells });
    cells = [];
  };
  for (let at = 0; at <= source.length; ) {
    const { cell, end } = readCell(source, at);
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

const PLAIN = /[^,;\t\n]*/y;
const QUOTED = /[^\S\n\t]*"((?:[^"]|"")*)"[^\S\n\t]*(?=[,;\t\n]|$)/y;

/** The cell that begins at `at`, and where its separator stands. */
function readCell(source: string, at: number): { cell: string; end: number } {
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(source);
  if (quoted) return { cell: quoted[1]!.replaceAll('""', '"'), end: QUOTED.lastIndex };
  PLAIN.lastIndex = at;
  const [plain = ''] = PLAIN.exec(source) ?? [];
  return { cell: plain.replaceAll('"', ''), end: at + plain.length };
}
