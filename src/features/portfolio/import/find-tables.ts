import { type CsvRecord, parseCsv, SEPARATORS } from '../../../platform/http/parse-csv.ts';
import { findRoles, type HeaderCell, isTypeName, readHeaderCell } from './column-names.ts';
import { type ColumnRole, MAX_COLUMNS } from './contract.ts';
import { MAX_IMPORT_ROWS } from './holdings-file.ts';
import { isNumber } from './parse-amount.ts';
import { SECURITY_ROLES } from './security-roles.ts';

/** Header with the records below it. */
export interface Table {
  /** Empty if the file has no header. */
  header: readonly HeaderCell[];
  headerLine?: number;
  rows: readonly CsvRecord[];
  /** Lines above the header that belong to no other table. */
  texts: readonly CsvRecord[];
}

/** Characters in which the first header must begin. Exports start with a title, an account or a date. */
const HEAD_LENGTH = 8_000;

/** Longer cells are cut. Patterns that take quadratic time would otherwise block the service on one large cell. */
const MAX_CELL_LENGTH = 250;

/** Splits a text into records with cells of bounded length. */
export const parseRecords = (text: string, separator: string): CsvRecord[] =>
  parseCsv(text, [separator]).map(({ line, cells }) => ({
    line,
    cells: cells.map((cell) => cell.slice(0, MAX_CELL_LENGTH)),
  }));

/** Records of a file with its tables. Without a known header, the table is the widest run of equal records. */
export interface FoundTables {
  records: readonly CsvRecord[];
  tables: readonly Table[];
}

/** Splits a file at the separator by which it has a table. */
export function findTables(text: string): FoundTables {
  const head = text.slice(0, HEAD_LENGTH);
  const separator = SEPARATORS.find((candidate) =>
    parseRecords(head, candidate).some(({ cells }) => readHeader(cells) !== undefined),
  );
  if (separator) {
    const records = parseRecords(text, separator);
    return { records, tables: splitTables(records) };
  }
  // The comma comes last, because it may be a decimal comma in a file with another separator.
  const candidates = SEPARATORS.toReversed().map((candidate) => {
    const records = parseRecords(text, candidate);
    return { records, run: findWidestRun(records) };
  });
  const widest = candidates.reduce((best, other) => (countCells(other.run) > countCells(best.run) ? other : best));
  return { records: widest.records, tables: toTable(widest.records, widest.run) };
}

/** Roles of which a header names one of each line. */
const HEADERS: readonly (readonly (readonly ColumnRole[])[])[] = [
  [SECURITY_ROLES, ['quantity']],
  [['symbol', 'identifier'], ['amount'], ['price', 'value']],
  [['date'], ['action'], ['amount', 'quantity', 'value']],
];

/** Returns the header if the record names the columns of a table of securities. */
function readHeader(cells: readonly string[]): readonly HeaderCell[] | undefined {
  if (cells.length > MAX_COLUMNS || cells.some(isNumber)) return undefined;
  const header = cells.map(readHeaderCell);
  const roles = new Set<ColumnRole>();
  for (const cell of header) {
    for (const { role } of findRoles(cell)) roles.add(role);
    if (isTypeName(cell)) roles.add('action');
  }
  const isHeader = HEADERS.some((groups) => groups.every((group) => group.some((role) => roles.has(role))));
  return isHeader ? header : undefined;
}

/** Splits the records into tables. A file may contain one table per account, and others below. */
function splitTables(records: readonly CsvRecord[]): Table[] {
  const tables: (Table & { rows: CsvRecord[] })[] = [];
  let texts: CsvRecord[] = [];
  for (const record of records) {
    const current = tables.at(-1);
    if (tables.length > MAX_IMPORT_ROWS || (current?.rows.length ?? 0) > MAX_IMPORT_ROWS) break;
    const header = readHeader(record.cells);
    if (header) {
      tables.push({ header, headerLine: record.line, rows: [], texts });
      texts = [];
    } else if (!current || isText(record.cells, current.header.length)) texts.push(record);
    else {
      current.rows.push(record);
      texts = [];
    }
  }
  return tables;
}

/** Returns whether a record is a line of text, such as a title, an account or a notice. */
function isText(cells: readonly string[], width: number): boolean {
  const filled = cells.filter((cell) => cell !== '');
  const [text = ''] = filled;
  if (filled.length !== 1) return false;
  return text.includes(' ') || text.length > 12 || (width > 2 && !/^[A-Z0-9.]*$/.test(text));
}

/** Records in a row with equal numbers of cells. */
interface Run {
  start: number;
  end: number;
  width: number;
}

const countCells = (run: Run | undefined): number => (run ? (run.end - run.start) * run.width : 0);

/** Returns the run with the most cells, among those with at least two columns, two records and one number. */
function findWidestRun(records: readonly CsvRecord[]): Run | undefined {
  let widest: Run | undefined;
  for (let start = 0; start < records.length;) {
    const width = records[start]!.cells.length;
    let end = start + 1;
    while (records[end]?.cells.length === width) end += 1;
    const run = { start, end, width };
    const isTable = width > 1 && width <= MAX_COLUMNS && end - start > 1;
    if (isTable && countCells(run) > countCells(widest) && records.slice(start, end).some(hasNumber)) widest = run;
    start = end;
  }
  return widest;
}

const hasNumber = ({ cells }: CsvRecord): boolean => cells.some(isNumber);

/** Returns the run as a table. Its first record is the header if it has no number. */
function toTable(records: readonly CsvRecord[], run: Run | undefined): Table[] {
  if (!run) return [];
  const first = records[run.start]!;
  const hasHeader = !hasNumber(first);
  return [
    {
      header: hasHeader ? first.cells.map(readHeaderCell) : [],
      ...(hasHeader && { headerLine: first.line }),
      rows: records.slice(run.start + (hasHeader ? 1 : 0), run.end),
      texts: records.slice(0, run.start),
    },
  ];
}
