import { Big } from 'big.js';
import type { FileBuilder } from './file-builder.ts';
import { hasTooManyRows, type SkippedRow } from './holdings-file.ts';
import { isNumber, toQuantity } from './parse-amount.ts';
import {
  createAccountReader,
  findLengthError,
  isTooLarge,
  MAX_MONEY,
  MAX_QUANTITY,
  readCurrency,
  readMoney,
  readSecurity,
  readSymbol,
  type RowCurrency,
  roundMoney,
  roundQuantity,
  toCurrencyMessage,
  toMajorUnit,
} from './read-row.ts';
import { findCashCurrency, isCashRow, isNoticeRow, isTotalRow } from './special-rows.ts';
import type { Cell, ReadableTable, Row } from './table-rows.ts';

/** Adds the rows of a table of positions to the file: positions, cash, skipped rows, totals, texts or errors. */
export function readPositions(builder: FileBuilder, table: ReadableTable): void {
  const readAccount = createAccountReader(builder, table);
  for (const record of table.rows) {
    builder.rowCount += 1;
    if (hasTooManyRows(builder)) return;
    const row = table.toRow(record);
    const lengthError = findLengthError(row, table);
    if (isTotalRow(row)) builder.addTotal(row.line);
    else if (isNoticeRow(row)) continue;
    else if (lengthError) builder.addError(row.line, null, lengthError);
    else {
      const { accountKey, addAccount } = readAccount(row);
      const isAdded = isCashRow(row, readSymbol(row))
        ? readCash(builder, row, accountKey)
        : readPosition(builder, row, accountKey);
      if (isAdded) addAccount();
    }
  }
}

const MISSING_QUANTITY = 'The quantity is missing. Fill it in, or delete the line.';

/** Adds one row with a security. Returns whether the row belongs to its account. */
function readPosition(builder: FileBuilder, row: Row, accountKey: string): boolean {
  const { line } = row;
  const { symbol, identifiers, search, name, exchange, skipReason } = readSecurity(row);
  const fail = (column: string | null, message: string): false => {
    builder.addError(line, column, message);
    return false;
  };
  const skip = (reason: SkippedRow['reason']): true => {
    const label = symbol || (identifiers[0] ?? search);
    builder.addSkipped({ line, lines: [line], accountKey, symbol: label, name, reason });
    return true;
  };
  if (skipReason) return skip(skipReason);
  const quantityCell = row.get('quantity');
  const quantity = toQuantity(quantityCell.amount, quantityCell.text);
  if (quantity.kind === 'unknown' && identifiers.length === 0 && !row.record.cells.some(isNumber)) return false;
  if (quantity.kind === 'unknown' && search === '') {
    builder.addTotal(line);
    return false;
  }
  if (search === '') return fail(null, 'The symbol is missing. Fill it in, or delete the line.');
  if (quantity.kind === 'invalid') return fail(quantityCell.column, quantity.message);
  if (quantity.kind === 'unknown') return fail(quantityCell.column, MISSING_QUANTITY);
  const { cell: costCell, isPerUnit } = findCostCell(row);
  const currencyText = findCurrencyText(row, costCell);
  const currency = readCurrency(currencyText);
  if (!currency) return fail(costCell.currencyColumn, toCurrencyMessage(currencyText));
  if (quantity.value.startsWith('-')) return skip('short');
  const rounded = roundQuantity(quantity.value);
  if (rounded === '0') return skip('zero');
  if (isTooLarge(rounded, MAX_QUANTITY))
    return fail(quantityCell.column, 'The quantity is larger than 1,000,000,000,000. Correct it.');
  const cost = readCost(costCell, isPerUnit ? quantity.value : '1', currency);
  if (!cost.ok) return fail(costCell.column, cost.message);
  builder.addPosition({
    lines: [line],
    accountKey,
    identifiers,
    search,
    exchange,
    name,
    quantity: rounded,
    costBasis: cost.value,
    isCostPerUnit: isPerUnit,
    currency: currency.code,
  });
  return true;
}

/** Returns the cell of the total cost, or without one the cell of the cost per share. */
function findCostCell(row: Row): { cell: Cell; isPerUnit: boolean } {
  const total = row.get('cost');
  const isPerUnit = total.amount.kind === 'unknown';
  return { cell: isPerUnit ? row.get('unit_cost') : total, isPerUnit };
}

/** Returns the currency of the cost, else of the row, its price or its value. Empty if the file does not say it. */
function findCurrencyText(row: Row, costCell: Cell): string {
  const cells = [costCell, row.get('price'), row.get('value')];
  const texts = cells.map(({ amount, currency }) => (amount.kind === 'amount' ? (amount.currency ?? currency) : ''));
  return texts.find((text) => text !== '') ?? costCell.currency;
}

type Cost = { ok: true; value: string | null } | { ok: false; message: string };

/** Returns the cost times a factor. Costs in pence are converted to pounds. */
function readCost({ amount }: Cell, factor: string, currency: RowCurrency): Cost {
  if (amount.kind === 'invalid') return { ok: false, message: amount.message };
  if (amount.kind === 'unknown') return { ok: true, value: null };
  const value = roundMoney(toMajorUnit(Big(factor).times(amount.value).toFixed(), currency));
  if (value.startsWith('-')) return { ok: false, message: 'The cost is negative. Correct it, or leave it out.' };
  if (isTooLarge(value, MAX_MONEY))
    return { ok: false, message: 'The cost is larger than 1,000,000,000,000,000. Correct it.' };
  return { ok: true, value };
}

/** Adds the cash of a row. Returns whether the row belongs to its account. */
function readCash(builder: FileBuilder, row: Row, accountKey: string): boolean {
  const { line } = row;
  const cells = [row.get('value'), row.get('amount'), row.get('quantity')];
  const cell = cells.find(({ amount }) => amount.kind !== 'unknown') ?? cells[0]!;
  const cashCell = { ...cell, currency: findCashCurrency(readSymbol(row)) || cell.currency };
  const money = readMoney(cashCell);
  const fail = (column: string, message: string): false => {
    builder.addError(line, column, message);
    return false;
  };
  if (money.kind === 'invalid') return fail(money.column, money.message);
  if (money.kind === 'unknown') return fail(cell.column, 'The amount is missing. Fill it in, or delete the line.');
  if (money.currency === null) return fail(cell.currencyColumn, toCurrencyMessage(cashCell.currency));
  const amount = roundMoney(money.value);
  if (isTooLarge(amount, MAX_MONEY)) return fail(cell.column, 'The amount is too large. Correct it.');
  builder.addCash({ line, accountKey, currency: money.currency, amount });
  return true;
}
