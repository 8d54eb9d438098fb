import { parseListing, toPlainText } from '../../../market-data/domain/normalize-symbol.ts';
import { compareDecimals, multiplyDecimals, roundDecimal } from './decimal.ts';
import type { FileBuilder, SkippedRow } from './holdings-file.ts';
import { type DecimalMark, findCurrency, parseAmount, parseQuantity } from './parse-amount.ts';

/** Cells of one row with holdings. A missing cell is an empty text. */
export interface RowCells {
  line: number;
  accountKey: string;
  symbol: string;
  isin: string;
  name: string;
  assetType: string;
  quantity: string;
  cost: string;
  unitCost: string;
  /** Currency of the cost: a code, or a unit such as GBX. Empty if the file does not say it. */
  currency: string;
  decimalMark: DecimalMark | null;
  /** Whether the member wrote the file, so that a missing symbol can be filled in. */
  isOwnFile: boolean;
  /** Headers of the columns, for messages. */
  columnNames: { quantity: string; cost: string; unitCost: string; currency: string };
}

const QUANTITY_DECIMALS = 10;
const MONEY_DECIMALS = 4;
/** Largest quantity and amount of money that can be stored. */
export const MAX_QUANTITY = '1000000000000';
export const MAX_MONEY = '1000000000000000';

const OPTION_TYPE = /\boptions?\b|^(?:OPT|FOP)$/i;
const CRYPTO_TYPE = /crypto/i;
const UNSUPPORTED_TYPE = /future|forex|\bfx\b|\bcfds?\b|warrant|commodit|structured|^(?:FUT|WAR)$/i;
/** Option symbols of the OCC (`AAPL  260116C00150000`), Fidelity (`-AAPL260116C150`), Schwab and Interactive Brokers. */
const OPTION_SYMBOLS = [
  /^-?[A-Z.]{1,6} *\d{6}[CP]\d+(?:\.\d+)?$/,
  /^[A-Z./]{1,7} \d{2}\/\d{2}\/\d{4} \d+(?:\.\d+)? [CP]$/,
  /^[A-Z. ]{1,7} \d{2}[A-Z]{3}\d{2} \d+(?:\.\d+)? [CP]$/,
];
const COIN_NAME = /^(?:bitcoin|ether(?:eum)?|litecoin|solana|dogecoin|ripple|cardano)$/i;
const PENDING = /^pending activity/i;
const FUTURES_TOTAL = /^futures /i;

/** Adds one row to the file: a position, a skipped row with its reason, or errors. */
export function readRow(file: FileBuilder, row: RowCells): void {
  const { line, accountKey } = row;
  const symbol = toPlainText(row.symbol);
  const reason = findSkipReason(row, symbol);
  const skip = (skipReason: SkippedRow['reason']): void => {
    const name = row.name === '' ? null : row.name;
    file.skipped.push({ line, accountKey, symbol: symbol || row.isin || row.name, name, reason: skipReason });
  };
  if (reason) return skip(reason);
  const addError = (column: string | null, message: string): void => {
    file.errors.push({ line, column, message });
  };
  const identifiers = [row.symbol, row.isin].filter((text) => text !== '');
  const quantity = parseQuantity(row.quantity, row.decimalMark);
  if (identifiers.length === 0 && !row.isOwnFile && quantity.kind === 'unknown') return;
  if (identifiers.length === 0 && !row.isOwnFile) return skip('unknown');
  if (identifiers.length === 0) return addError(null, 'The symbol is missing. Fill it in, or delete the line.');
  if (quantity.kind === 'invalid') return addError(row.columnNames.quantity, quantity.message);
  if (quantity.kind === 'unknown')
    return addError(row.columnNames.quantity, 'The quantity is missing. Fill it in, or delete the line.');
  const currencyText = findCostCurrency(row) ?? row.currency;
  const currency = readCurrency(currencyText);
  if (currency === undefined)
    return addError(row.columnNames.currency, `“${currencyText}” is no currency. Write a code, such as USD.`);
  if (quantity.value.startsWith('-')) return skip('short');
  const rounded = roundDecimal(quantity.value, QUANTITY_DECIMALS);
  if (rounded === '0') return skip('zero');
  if (compareDecimals(rounded, MAX_QUANTITY) > 0)
    return addError(row.columnNames.quantity, 'The quantity is larger than 1,000,000,000,000. Correct it.');
  const cost = readCost(row, quantity.value, currency.isMinorUnit);
  if (!cost.ok) return addError(cost.column, cost.message);
  file.positions.push({
    line,
    accountKey,
    identifiers,
    name: row.name === '' ? null : row.name,
    quantity: rounded,
    costBasis: cost.value,
    isCostPerUnit: cost.isPerUnit,
    currency: currency.code,
  });
}

function findSkipReason(row: RowCells, symbol: string): SkippedRow['reason'] | undefined {
  if (PENDING.test(symbol) || PENDING.test(row.name)) return 'pending';
  if (OPTION_TYPE.test(row.assetType) || OPTION_SYMBOLS.some((pattern) => pattern.test(symbol.toUpperCase())))
    return 'option';
  if (CRYPTO_TYPE.test(row.assetType) || COIN_NAME.test(row.name) || parseListing(symbol).kind === 'crypto')
    return 'crypto';
  return UNSUPPORTED_TYPE.test(row.assetType) || FUTURES_TOTAL.test(symbol) ? 'unsupported' : undefined;
}

/** Reads a currency code. Returns undefined if there is no such currency. */
function readCurrency(text: string): { code: string | null; isMinorUnit: boolean } | undefined {
  const typed = toPlainText(text).trim();
  if (/^(?:-+|n\/a)?$/i.test(typed)) return { code: null, isMinorUnit: false };
  return findCurrency(typed === 'GBp' ? typed : typed.toUpperCase());
}

/** Returns the currency beside the number of the total cost, or without one of the cost per share. */
function findCostCurrency({ cost, unitCost, decimalMark }: RowCells): string | null {
  const total = parseAmount(cost, decimalMark);
  const used = total.kind === 'unknown' ? parseAmount(unitCost, decimalMark) : total;
  return used.kind === 'amount' ? used.currency : null;
}

type Cost = { ok: true; value: string | null; isPerUnit: boolean } | { ok: false; column: string; message: string };

/** Returns the total cost, or quantity times cost per share. Costs in pence are converted to pounds. */
function readCost(row: RowCells, quantity: string, isMinorUnit: boolean): Cost {
  const { columnNames } = row;
  const total = parseAmount(row.cost, row.decimalMark);
  if (total.kind === 'invalid') return { ok: false, column: columnNames.cost, message: total.message };
  const isTotal = total.kind === 'amount';
  const parsed = isTotal ? total : parseAmount(row.unitCost, row.decimalMark);
  const column = isTotal ? columnNames.cost : columnNames.unitCost;
  if (parsed.kind === 'invalid') return { ok: false, column, message: parsed.message };
  if (parsed.kind === 'unknown') return { ok: true, value: null, isPerUnit: !isTotal };
  const amount = isTotal ? parsed.value : multiplyDecimals(quantity, parsed.value);
  const value = roundMoney(isMinorUnit ? multiplyDecimals(amount, '0.01') : amount);
  if (value.startsWith('-'))
    return { ok: false, column, message: 'The cost is negative. Correct it, or leave it out.' };
  if (compareDecimals(value, MAX_MONEY) > 0)
    return { ok: false, column, message: 'The cost is larger than 1,000,000,000,000,000. Correct it.' };
  return { ok: true, value, isPerUnit: !isTotal };
}

const roundMoney = (amount: string): string => roundDecimal(amount, MONEY_DECIMALS);

/** Cells of a row with cash. */
export interface CashCells {
  line: number;
  accountKey: string;
  amount: string;
  currency: string;
  decimalMark: DecimalMark | null;
  columnNames: { amount: string; currency: string };
}

/** Adds cash to the file, or an error if the amount cannot be read. An unknown amount is omitted. */
export function readCash(file: FileBuilder, row: CashCells): void {
  const { line, accountKey, columnNames } = row;
  const amount = parseAmount(row.amount, row.decimalMark);
  const currencyText = (amount.kind === 'amount' && amount.currency) || row.currency;
  const currency = readCurrency(currencyText);
  if (amount.kind === 'invalid') {
    file.errors.push({ line, column: columnNames.amount, message: amount.message });
    return;
  }
  if (amount.kind === 'unknown') return;
  if (!currency?.code) {
    const message = `“${currencyText}” is no currency. Write a code, such as USD.`;
    file.errors.push({ line, column: columnNames.currency, message });
    return;
  }
  const value = roundMoney(currency.isMinorUnit ? multiplyDecimals(amount.value, '0.01') : amount.value);
  if (compareDecimals(value.replace('-', ''), MAX_MONEY) > 0)
    file.errors.push({ line, column: columnNames.amount, message: 'The amount is too large. Correct it.' });
  else file.cash.push({ line, accountKey, currency: currency.code, amount: value });
}
