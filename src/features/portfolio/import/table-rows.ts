import type { CsvRecord } from '../../../platform/http/parse-csv.ts';
import { findOwnerName, findRoles, type HeaderCell, readHeaderCell } from './column-names.ts';
import type { ColumnRole } from './contract.ts';
import type { Table } from './find-tables.ts';
import type { Format } from './formats.ts';
import { MONEY_ROLES, NUMERIC_ROLES, QUANTITY_TEXT } from './guess-columns.ts';
import { type DecimalMark, findCurrency, findDecimalMark, parseAmount, type ParsedAmount } from './parse-amount.ts';

/** Cell of a row with what its table says about it. */
export interface Cell {
  text: string;
  header: HeaderCell;
  /** Name of the column, for messages. */
  column: string;
  /** Currency of an amount without one in its text. Empty if the file does not say it. */
  currency: string;
  currencyColumn: string;
  /** The text as a number. Texts of other columns than amounts and quantities are unknown. */
  amount: ParsedAmount;
}

/** Row of a table whose cells are found by their role. */
export interface Row {
  line: number;
  record: CsvRecord;
  /** Returns the first cell with text in a column of the role, else one without text. */
  get(role: ColumnRole): Cell;
  /** Returns the cells with text in all columns of the role. */
  list(role: ColumnRole): Cell[];
  /** Returns whether a header of the table matches. */
  hasColumn(matches: (header: HeaderCell) => boolean): boolean;
  /** Returns whether the name of a column matches. */
  isNamed(index: number, name: RegExp): boolean;
}

/** Table whose columns have their roles. */
export interface ReadableTable extends Table {
  format: Format;
  roles: readonly ColumnRole[];
  /** Currency of the accounts, or null if only their rows show it. */
  accountCurrency: string | null;
  toRow(record: CsvRecord): Row;
}

const NO_HEADER = readHeaderCell('');
const NO_CELL: Cell = {
  text: '',
  header: NO_HEADER,
  column: '',
  currency: '',
  currencyColumn: '',
  amount: { kind: 'unknown' },
};

/** Returns the table with the roles of its columns, from which rows are read. */
export function toReadableTable(table: Table, roles: readonly ColumnRole[], format: Format): ReadableTable {
  const { header } = table;
  const marks = findDecimalMarks(table, roles, format);
  const currencyColumns = findCurrencyColumns(header, roles);
  const indices = new Map<ColumnRole, number[]>();
  for (const [index, role] of roles.entries()) indices.set(role, [...(indices.get(role) ?? []), index]);
  /** What the table says about all cells of a column. The currency is that of the header. */
  const describeColumn = (index: number, role: ColumnRole | undefined) => {
    const cell = header[index] ?? NO_HEADER;
    const isNamed = cell.unit !== null && cell.unit !== '$';
    const ownIndex = currencyColumns.own.get(index) ?? -1;
    const generalIndex = isNamed ? -1 : (currencyColumns.general ?? -1);
    return {
      header: cell,
      isNumeric: role === undefined || NUMERIC_ROLES.has(role),
      mark: marks[index] ?? null,
      ownIndex,
      generalIndex,
      currency: toCurrencyUnit(cell.unit) ?? format.currency ?? '',
      currencyColumn: header[ownIndex === -1 ? generalIndex : ownIndex]?.text || 'currency',
    };
  };
  const columns = roles.map((role, index) => describeColumn(index, role));
  const absentColumn = describeColumn(-1, undefined);

  const toCell = (cells: readonly string[], index: number, role: ColumnRole): Cell => {
    const whole = cells[index] ?? '';
    const text = role === 'quantity' ? (QUANTITY_TEXT.exec(whole)?.[1] ?? whole) : whole;
    const column = columns[index] ?? absentColumn;
    return {
      text,
      header: column.header,
      column: column.header.text || role,
      currency: cells[column.ownIndex] || cells[column.generalIndex] || column.currency,
      currencyColumn: column.currencyColumn,
      amount: column.isNumeric ? parseAmount(text, column.mark) : { kind: 'unknown' },
    };
  };
  const toRow = (record: CsvRecord): Row => {
    const { line, cells } = record;
    // The same cells are read several times, so that each is parsed once.
    const known = new Map<ColumnRole, Cell>();
    return {
      line,
      record,
      get(role) {
        const earlier = known.get(role);
        if (earlier) return earlier;
        const columns = indices.get(role);
        // An amount that is absent has the currency of its row, another absent cell is the same in all rows.
        if (!columns && !NUMERIC_ROLES.has(role)) return NO_CELL;
        const cell = toCell(cells, columns?.find((index) => cells[index]) ?? columns?.[0] ?? -1, role);
        known.set(role, cell);
        return cell;
      },
      list(role) {
        const filled = (indices.get(role) ?? []).filter((index) => cells[index]);
        return filled.length === 1 ? [this.get(role)] : filled.map((index) => toCell(cells, index, role));
      },
      hasColumn: (matches) => header.some(matches),
      isNamed: (index, name) => name.test(header[index]?.name ?? ''),
    };
  };
  const values = indices.get('value') ?? [];
  const unit = values.map((index) => toCurrencyUnit(header[index]?.unit ?? null)).find((text) => text !== null);
  const accountCurrency = format.currency ?? (unit === undefined ? null : findCurrency(unit)!.code);
  return { ...table, format, roles, accountCurrency, toRow };
}

/** A dollar sign without another currency means US dollars. */
const toCurrencyUnit = (unit: string | null): string | null => (unit === '$' ? 'USD' : unit);

/** Finds for each column of amounts the column with its currency: by its name, or beside it without a name. */
function findCurrencyColumns(
  header: readonly HeaderCell[],
  roles: readonly ColumnRole[],
): { own: ReadonlyMap<number, number>; general: number | undefined } {
  const own = new Map<number, number>();
  const isMoney = (index: number): boolean => MONEY_ROLES.has(roles[index] ?? 'ignore');
  let general: number | undefined;
  for (const [index, role] of roles.entries()) {
    if (role !== 'currency') continue;
    const cell = header[index] ?? NO_HEADER;
    const ownerName = findOwnerName(cell);
    const owner = ownerName === null ? -1 : header.findIndex((other) => other !== cell && other.name === ownerName);
    const isUnnamed = header.length > 0 && cell.text === '';
    if (isMoney(owner)) own.set(owner, index);
    else if (isUnnamed && isMoney(index - 1)) own.set(index - 1, index);
    else if (header[index + 1]?.text === '' && isMoney(index + 1)) own.set(index + 1, index);
    else if (!isUnnamed) general ??= index;
  }
  return { own, general };
}

/** Finds the decimal mark of each column: what its numbers prove, else what most columns prove. */
function findDecimalMarks(
  { rows }: Table,
  roles: readonly ColumnRole[],
  { decimalMark }: Format,
): (DecimalMark | null)[] {
  if (decimalMark) return roles.map(() => decimalMark);
  const proofs = roles.map((role, index) =>
    role === 'quantity' || MONEY_ROLES.has(role) ? findDecimalMark(rows.map(({ cells }) => cells[index] ?? '')) : null,
  );
  const points = proofs.filter((mark) => mark === '.').length;
  const commas = proofs.filter((mark) => mark === ',').length;
  if (points === commas) return proofs;
  const majority = points > commas ? '.' : ',';
  // A column that proves the opposite has a mistake in one cell, so that each of its cells must be clear by itself.
  return proofs.map((mark) => (mark === null || mark === majority ? majority : null));
}

/** Account of a table without columns for it, from the lines above: a row `Account`, or a summary of one account. */
export function findAccountAbove(texts: readonly CsvRecord[]): { label: string; number: string } {
  const found = { label: '', number: '' };
  for (const [position, { cells }] of texts.entries())
    for (const [index, cell] of cells.entries()) {
      const role = findRoles(readHeaderCell(cell)).find((name) => name.role.startsWith('account'))?.role;
      if (role === undefined) continue;
      const below = texts.slice(position + 1).filter((record) => record.cells.length === cells.length);
      const text = findValueOf(cells, index) ?? (below.length === 1 ? below[0]!.cells[index]! : '');
      if (role === 'account') found.label ||= text;
      else found.number ||= text;
    }
  return found;
}

/** Returns the value of a line such as `Depotnummer;123`, or undefined if it has another form. */
function findValueOf(cells: readonly string[], index: number): string | undefined {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length === 2 && index === 0 ? filled[1] : undefined;
}
