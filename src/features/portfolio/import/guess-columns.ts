import { findOwnerName, findRoles, type HeaderCell, isTypeName } from './column-names.ts';
import type { ColumnRole } from './contract.ts';
import type { Table } from './find-tables.ts';
import { findCurrency, isNumber } from './parse-amount.ts';
import { isDate } from './parse-date.ts';
import { findAction } from './transaction-actions.ts';

/** Rows whose cells show what a column holds. */
const SAMPLE_ROWS = 50;

/** Roles of amounts of money, which have a currency. */
export const MONEY_ROLES: ReadonlySet<ColumnRole> = new Set([
  'cost',
  'unit_cost',
  'price',
  'value',
  'amount',
  'debit',
  'credit',
  'fee',
]);

/** Roles that several columns of a table may have. The first cell with text counts, and fees are added up. */
const REPEATED_ROLES: ReadonlySet<ColumnRole> = new Set(['identifier', 'currency', 'value', 'action', 'fee', 'ignore']);

/** Text of a trade with its quantity, as XTB writes it: `OPEN BUY 10 @ 180.50`, or a part of it: `CLOSE BUY 4/10 @ 200.00`. */
export const QUANTITY_TEXT = /(?:^| )([\d.,]+)(?:\/[\d.,]+)? @ [\d.,]+$/;

/** Guesses the role of each column of a table: by the names in the header first, then by the cells. */
export function guessColumns({ header, rows }: Pick<Table, 'header' | 'rows'>): ColumnRole[] {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const width = header.length || Math.max(0, ...sample.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, index) =>
    sample.map(({ cells }) => cells[index] ?? '').filter((cell) => cell !== ''),
  );
  const roles = guessByName(header, columns);
  for (const [index, cells] of columns.entries()) roles[index] ??= guessByCells(index, cells, roles, header);
  addLocalValues(roles, header, columns);
  takeAmountAsQuantity(roles, header);
  return Array.from({ length: width }, (_, index) => roles[index] ?? 'ignore');
}

/** Gives each role to the column with the best name. A column whose cells contradict its name is left open. */
function guessByName(
  header: readonly HeaderCell[],
  columns: readonly (readonly string[])[],
): (ColumnRole | undefined)[] {
  const roles: (ColumnRole | undefined)[] = header.map((cell, index) => guessCurrency(header, cell, columns[index]!));
  const candidates = header.flatMap((cell, index) => findRoles(cell).map(({ role, rank }) => ({ role, rank, index })));
  for (const { role, index } of candidates.toSorted((a, b) => a.rank - b.rank || a.index - b.index)) {
    if (roles[index] !== undefined || contradicts(role, columns[index]!)) continue;
    if (REPEATED_ROLES.has(role) || !roles.includes(role)) roles[index] = role;
  }
  return roles;
}

/** A currency column names the column whose currency it holds: `Currency (Total)`. */
function guessCurrency(
  header: readonly HeaderCell[],
  cell: HeaderCell,
  cells: readonly string[],
): ColumnRole | undefined {
  const owner = findOwnerName(cell);
  if (owner === null || cells.some(isNumber)) return undefined;
  const column = header.find((other) => other !== cell && other.name === owner);
  const ownerRoles = column ? findRoles(column).map(({ role }) => role) : [];
  // The currency of a security is that of its row.
  if (!column || ownerRoles.includes('name')) return undefined;
  return ownerRoles.some((role) => MONEY_ROLES.has(role)) ? 'currency' : 'ignore';
}

/** Roles whose cells are numbers. */
export const NUMERIC_ROLES: ReadonlySet<ColumnRole> = new Set([...MONEY_ROLES, 'quantity']);

/** Returns whether the cells of a column cannot have the role. A column without cells can have any. */
function contradicts(role: ColumnRole, cells: readonly string[]): boolean {
  if (cells.length === 0) return false;
  if (NUMERIC_ROLES.has(role)) return mostly(cells, isCurrency);
  if (role === 'date') return !cells.some(isDate);
  if (role === 'currency') return mostly(cells, isNumber) || mostly(cells, isDate);
  if (role === 'symbol') return mostly(cells, isIsin);
  if (role === 'exchange') return mostly(cells, isNumber);
  if (role === 'name')
    return cells.some(isTradeText) || mostly(cells, isTicker) || mostly(cells, isIsin) || mostly(cells, isNumber);
  if (role === 'action') return mostly(cells, isNumber) || !cells.some((cell) => findAction(cell));
  return false;
}

/** Guesses the role of a column without a known name. */
function guessByCells(
  index: number,
  cells: readonly string[],
  roles: readonly (ColumnRole | undefined)[],
  header: readonly HeaderCell[],
): ColumnRole | undefined {
  const isFree = (role: ColumnRole): boolean => !roles.includes(role);
  const hasName = header[index] !== undefined && header[index].text !== '';
  if (cells.length === 0) return undefined;
  if (mostly(cells, isIsin)) return 'identifier';
  if (mostly(cells, isCurrency)) return hasName && !isFree('currency') ? undefined : 'currency';
  if (header[index] && isTypeName(header[index])) {
    if (mostly(cells, isAction)) return 'action';
    return isFree('asset_type') && cells.some(isAssetType) ? 'asset_type' : undefined;
  }
  if (isFree('quantity') && cells.some(isQuantityText)) return 'quantity';
  if (isFree('action') && (mostly(cells, isTrade) || cells.some(isTradeText))) return 'action';
  if (isFree('date') && mostly(cells, (cell) => !isNumber(cell) && isDate(cell))) return hasName ? undefined : 'date';
  if (isFree('symbol') && mostly(cells, isTicker) && isUnnamedOrSecurity(header[index])) return 'symbol';
  return undefined;
}

/** Returns whether a column without a header, or with the name of a security, may hold symbols. */
const isUnnamedOrSecurity = (cell: HeaderCell | undefined): boolean =>
  cell === undefined || cell.text === '' || findRoles(cell).some(({ role }) => role === 'name');

/** Degiro names the column of currencies and leaves the name of the values beside it empty. */
function addLocalValues(
  roles: (ColumnRole | undefined)[],
  header: readonly HeaderCell[],
  columns: readonly (readonly string[])[],
): void {
  for (const [index, cells] of columns.entries())
    if (header[index]?.text === '' && !roles[index] && roles[index - 1] === 'currency' && mostly(cells, isNumber))
      roles[index] = 'value';
}

/**
 * Degiro and Saxo also call a quantity an amount. Beside a price and without a quantity it can be nothing else, in
 * transactions if another column has the money that was moved.
 */
function takeAmountAsQuantity(roles: (ColumnRole | undefined)[], header: readonly HeaderCell[]): void {
  const amount = roles.indexOf('amount');
  if (amount === -1 || roles.includes('quantity') || !roles.includes('price')) return;
  const isOtherAmount = (cell: HeaderCell, index: number): boolean =>
    index !== amount && findRoles(cell).some(({ role }) => role === 'amount');
  if (!roles.includes('date') || header.some(isOtherAmount)) roles[amount] = 'quantity';
}

const mostly = (cells: readonly string[], matches: (cell: string) => boolean): boolean =>
  cells.length > 0 && cells.filter(matches).length * 5 >= cells.length * 4;

export const isIsin = (cell: string): boolean => /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(cell);
const isTicker = (cell: string): boolean => /^[A-Z][A-Z0-9&]{0,9}(?:[./-][A-Z]{1,3})?$/.test(cell) && !isCurrency(cell);
const isAction = (cell: string): boolean => ![undefined, 'other'].includes(findAction(cell));
const isTrade = (cell: string): boolean => ['buy', 'sell'].includes(findAction(cell) ?? '');
const isTradeText = (cell: string): boolean => /^(?:bought|sold|buy|sell|kauf|verkauf) [\d.,]+ /i.test(cell);
const isQuantityText = (cell: string): boolean => QUANTITY_TEXT.test(cell);
const isAssetType = (cell: string): boolean =>
  /equit|stock|share|\betf|aktie|fond|fund|bond|anleihe|option|azion|acci[oó]n|\baction|obligat|crypto/i.test(cell);

/** Returns whether a cell is a currency: a code, a minor unit or a sign. */
const isCurrency = (cell: string): boolean =>
  /^[€£$]$/.test(cell) || (/^[A-Z]{2}[A-Zpc]$/.test(cell) && findCurrency(cell) !== undefined);
