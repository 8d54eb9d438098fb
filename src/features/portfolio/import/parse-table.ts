import type { CsvRecord } from '../../../platform/http/parse-csv.ts';
import { toAccountName, toPlainName } from './account-names.ts';
import { type Columns, findHeader, isTransactionsHeader, type TableHeader } from './find-header.ts';
import { type FileBuilder, type FileFormat, hasTooManyRows, MAX_IMPORT_ROWS } from './holdings-file.ts';
import { type DecimalMark, findDecimalMark } from './parse-amount.ts';
import { readCash, readRow } from './read-row.ts';

/** Maximum number of cells of a header. A longer line is none, and is not searched. */
const MAX_HEADER_CELLS = 200;

/** Header with the records below it. `title` is the last line of text above it. */
interface Table {
  header: TableHeader;
  title: string;
  rows: CsvRecord[];
}

/** Adds the rows of every table with holdings to the file. Returns the format, or undefined without such a table. */
export function readTables(file: FileBuilder, records: readonly CsvRecord[]): FileFormat | undefined {
  const tables = findTables(records);
  for (const table of tables) readTable(file, table);
  return tables[0]?.header.format;
}

/**
 * Splits a file into its tables. A file may contain one table per account, and a list of transactions, which is
 * omitted.
 */
function findTables(records: readonly CsvRecord[]): Table[] {
  const tables: Table[] = [];
  let current: Table | undefined;
  let title = '';
  for (const record of records) {
    if (tables.length > MAX_IMPORT_ROWS || (current?.rows.length ?? 0) > MAX_IMPORT_ROWS) break;
    const header = record.cells.length > MAX_HEADER_CELLS ? undefined : findHeader(record.cells);
    if (header) {
      current = { header, title, rows: [] };
      tables.push(current);
    } else if (isTransactionsHeader(record.cells)) current = undefined;
    else if (isText(record.cells)) title = record.cells.find((cell) => cell !== '') ?? '';
    else current?.rows.push(record);
  }
  return tables;
}

/** Returns whether a record is a line of text, such as a title, an account or a notice. */
function isText(cells: readonly string[]): boolean {
  const texts = cells.filter((cell) => cell !== '');
  return texts.length === 1 && (texts[0]!.includes(' ') || texts[0]!.length > 12);
}

const TOTAL = /^\**(?:account |positions |grand |sub)?totals?(?: value| in [a-z]{3}| [a-z]{3})?:?\**$/i;

function readTable(file: FileBuilder, { header, title, rows }: Table): void {
  const { columns, names } = header;
  const decimalMark = header.decimalMark ?? findDecimalMark(listNumbers(columns, rows));
  for (const { line, cells } of rows) {
    file.rowCount += 1;
    if (hasTooManyRows(file)) return;
    if (isTotal(columns, cells)) continue;
    const length = cells.findLastIndex((cell) => cell !== '') + 1;
    const get = (column: keyof Columns): string => cells[columns[column] ?? -1] ?? '';
    if (length > names.length) {
      const message = 'The line has more cells than the header. Put texts and numbers with separators in quotes.';
      file.errors.push({ line, column: null, message });
    } else readTableRow(file, { header, title, line, get, decimalMark });
  }
}

/** Returns whether the row is a sum of others. An account may be named “Total”, so a symbol beside it is a holding. */
function isTotal({ account, symbol = -1, isin = -1 }: Columns, cells: readonly string[]): boolean {
  const labelColumn = cells.findIndex((cell) => cell !== '');
  const isAccountOfHolding = labelColumn === account && Boolean(cells[symbol] || cells[isin]);
  return TOTAL.test(cells[symbol] ?? '') || (!isAccountOfHolding && TOTAL.test(cells[labelColumn] ?? ''));
}

function* listNumbers(columns: Columns, rows: readonly CsvRecord[]): Generator<string> {
  const numeric = [columns.quantity, columns.cost, columns.unitCost, columns.price, columns.value, columns.localAmount];
  for (const { cells } of rows) for (const column of numeric) yield cells[column ?? -1] ?? '';
}

interface TableRow {
  header: TableHeader;
  title: string;
  line: number;
  get: (column: keyof Columns) => string;
  decimalMark: DecimalMark | null;
}

function readTableRow(file: FileBuilder, { header, title, line, get, decimalMark }: TableRow): void {
  const { format, columns, names } = header;
  const getName = (column: keyof Columns): string => names[columns[column] ?? -1] || column;
  // Degiro's older files write "USD 1234.12" in one cell.
  const currencyCell = format === 'degiro' ? (/^[A-Za-z]{3}/.exec(get('currency'))?.[0] ?? '') : get('currency');
  const currency = currencyCell || header.currency || '';
  const accountName = toAccountName(format, { number: get('accountNumber'), label: get('account'), title });
  const key = [get('accountNumber'), get('account'), format === 'schwab' ? title : ''].join('\n');
  const account = file.accounts.get(key) ?? { key, name: accountName, currency: header.accountCurrency };
  const countBefore = file.positions.length + file.skipped.length + file.cash.length;
  const symbol = get('symbol').replace(format === 'fidelity' ? /\*+$/ : '', '');
  if (isCash(format, get))
    readCash(file, {
      line,
      accountKey: key,
      ...findCashAmount(format, columns, get),
      currency,
      decimalMark: format === 'degiro' && columns.localAmount === undefined ? null : decimalMark,
      columnNames: {
        amount: getName(columns.value === undefined ? 'quantity' : 'value'),
        currency: getName('currency'),
      },
    });
  else
    readRow(file, {
      line,
      accountKey: key,
      symbol: /^(?:-+|null|n\/a)$/i.test(symbol) ? '' : symbol,
      isin: get('isin'),
      name: toPlainName(get('name')),
      assetType: get('assetType'),
      quantity: get('quantity'),
      cost: get('cost'),
      unitCost: get('unitCost'),
      currency,
      decimalMark,
      isOwnFile: format === 'template' || format === 'table',
      columnNames: {
        quantity: getName('quantity'),
        cost: getName('cost'),
        unitCost: getName('unitCost'),
        currency: getName('currency'),
      },
    });
  if (file.positions.length + file.skipped.length + file.cash.length > countBefore) file.accounts.set(key, account);
}

/** The settlement fund of Vanguard, whose shares are always worth one dollar. */
const VANGUARD_CASH = 'VMFXX';

/** Returns whether a row is the cash of an account. */
function isCash(format: FileFormat, get: (column: keyof Columns) => string): boolean {
  switch (format) {
    case 'schwab':
      return /^cash & cash investments$/i.test(get('symbol')) || /^cash\b/i.test(get('assetType'));
    case 'fidelity':
      return get('symbol').endsWith('**') || /^held in (?:money market|fcash|cash)/i.test(get('name'));
    case 'vanguard':
      return get('symbol') === VANGUARD_CASH;
    case 'degiro':
      return get('isin') === '' && /\bcash\b/i.test(get('name'));
    case 'interactive_brokers':
      return /^cash$/i.test(get('assetType'));
    case 'template':
    case 'table':
      return /^cash$/i.test(get('symbol')) && /^(?:.*\bcash\b.*)?$/i.test(get('name'));
  }
}

/** Returns the cell with the amount of cash in the currency of the row. */
function findCashAmount(
  format: FileFormat,
  columns: Columns,
  get: (column: keyof Columns) => string,
): { amount: string } {
  if (format === 'degiro') return { amount: get(columns.localAmount === undefined ? 'currency' : 'localAmount') };
  return { amount: (format !== 'template' && get('value')) || get('quantity') };
}
