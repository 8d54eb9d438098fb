import { Big } from 'big.js';
import { toIsin } from '../../../market-data/domain/bond-identifier.ts';
import { parseListing, toPlainText } from '../../../market-data/domain/normalize-symbol.ts';
import { toAccountName, toPlainName } from './account-names.ts';
import type { FileBuilder } from './file-builder.ts';
import type { SkippedRow } from './holdings-file.ts';
import { findCurrency } from './parse-amount.ts';
import { isIsin } from './guess-columns.ts';
import { type Cell, findAccountAbove, type ReadableTable, type Row } from './table-rows.ts';

const QUANTITY_DECIMALS = 10;
const MONEY_DECIMALS = 4;
/** Largest quantity and amount of money that can be stored. */
export const MAX_QUANTITY = '1000000000000';
export const MAX_MONEY = '1000000000000000';

export const roundQuantity = (quantity: string): string => Big(quantity).round(QUANTITY_DECIMALS).toFixed();
export const roundMoney = (amount: string): string => Big(amount).round(MONEY_DECIMALS).toFixed();

/** Returns whether an amount, positive or negative, is above a limit. Fewer digits than the limit has are not. */
export const isTooLarge = (amount: string, limit: string): boolean =>
  amount.length >= limit.length && Big(amount).abs().gt(limit);

const OPTION_TYPE = /\boptions?\b|optionen|^(?:OPT|FOP)$/i;
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

/** Security as a row names it. */
export interface RowSecurity {
  symbol: string;
  isin: string | null;
  identifiers: readonly string[];
  /** Empty if the row names no security. */
  search: string;
  name: string | null;
  exchange: string | null;
  /** Why Tally does not hold it, or undefined. */
  skipReason: SkippedRow['reason'] | undefined;
}

/** Texts that brokers write for none. */
const NO_TEXT = /^(?:-+|null|none|n\/a)$/i;

/** Symbol with its currency, as eToro writes it. Without a kind of asset, it could be a coin. */
const PAIR = /^([A-Z][A-Z0-9.]{0,9})\/[A-Z]{3}$/;

/** Reads the symbol of a row. Brokers mark some with asterisks, and write dashes for none. */
export function readSymbol(row: Row): string {
  const symbol = toPlainText(row.get('symbol').text).trim();
  return NO_TEXT.test(symbol) ? '' : symbol;
}

/** Reads the security of a row. A WKN or a SEDOL alone identifies none, but is a text to search for. */
export function readSecurity(row: Row): RowSecurity {
  // Robinhood writes the CUSIP below the name, Hargreaves Lansdown quantity and price behind it.
  const name = toPlainName(row.get('name').text.split('\n')[0]!).replace(/ [\d.,]+ @ [\d.,]+$/, '');
  const assetType = row.get('asset_type').text;
  const symbol = readSymbol(row).replace(/\*+$/, '') || ((assetType && PAIR.exec(name)?.[1]) ?? '');
  const codes = row.list('identifier').map(({ text }) => toPlainText(text).trim());
  const certain = codes.filter((code) => !isNationalCode(code) && !NO_TEXT.test(code));
  const national = codes.find(isNationalCode);
  const identifiers = [...new Set([symbol, ...certain])].filter((text) => text !== '');
  return {
    symbol,
    isin: certain.find(isIsin) ?? (isIsin(symbol) ? symbol : null),
    identifiers,
    search: name || national || (identifiers[0] ?? ''),
    name: name || null,
    exchange: toPlainName(row.get('exchange').text) || null,
    skipReason: findSkipReason(symbol, name, assetType),
  };
}

/** Returns whether a code is a WKN, a SEDOL or a Swiss number, which no catalog of Tally knows. */
const isNationalCode = (code: string): boolean => /^(?=.*\d)[A-Z0-9]{5,9}$/.test(code) && toIsin(code) === undefined;

function findSkipReason(symbol: string, name: string, assetType: string): SkippedRow['reason'] | undefined {
  if (PENDING.test(symbol) || PENDING.test(name)) return 'pending';
  if (OPTION_TYPE.test(assetType) || OPTION_SYMBOLS.some((pattern) => pattern.test(symbol.toUpperCase())))
    return 'option';
  if (CRYPTO_TYPE.test(assetType) || COIN_NAME.test(name) || parseListing(symbol).kind === 'crypto') return 'crypto';
  return UNSUPPORTED_TYPE.test(assetType) || FUTURES_TOTAL.test(symbol) ? 'unsupported' : undefined;
}

export interface RowCurrency {
  /** Null if the file does not say it. */
  code: string | null;
  isMinorUnit: boolean;
}

const SIGNS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP' };

/** Reads a currency code. Returns undefined if there is no such currency. */
export function readCurrency(text: string): RowCurrency | undefined {
  const typed = toPlainText(text).trim();
  if (/^(?:-+|n\/a)?$/i.test(typed)) return { code: null, isMinorUnit: false };
  return findCurrency(SIGNS[typed] ?? (typed === 'GBp' ? typed : typed.toUpperCase()));
}

/** Converts pence to pounds, and leaves other amounts. */
export const toMajorUnit = (amount: string, { isMinorUnit }: RowCurrency): string =>
  isMinorUnit ? Big(amount).times('0.01').toFixed() : amount;

export const toCurrencyMessage = (text: string): string => `“${text}” is no currency. Write a code, such as USD.`;

/** Amount of a cell in its currency, converted from pence to pounds. */
export type RowMoney =
  | { kind: 'amount'; value: string; currency: string | null; cell: Cell }
  | { kind: 'unknown' }
  | { kind: 'invalid'; column: string; message: string };

/** Reads an amount of money. A currency beside the number counts more than that of the column. */
export function readMoney(cell: Cell): RowMoney {
  const parsed = cell.amount;
  if (parsed.kind === 'unknown') return parsed;
  if (parsed.kind === 'invalid') return { kind: 'invalid', column: cell.column, message: parsed.message };
  const currencyText = parsed.currency ?? cell.currency;
  const currency = readCurrency(currencyText);
  if (!currency) return { kind: 'invalid', column: cell.currencyColumn, message: toCurrencyMessage(currencyText) };
  return { kind: 'amount', value: toMajorUnit(parsed.value, currency), currency: currency.code, cell };
}

/** Returns the key of the row's account, and the function that adds it to the file. */
export function createAccountReader(
  builder: FileBuilder,
  table: ReadableTable,
): (row: Row) => { accountKey: string; addAccount: () => void } {
  const { format, texts } = table;
  const title = texts.at(-1)?.cells.find((cell) => cell !== '') ?? '';
  const above = findAccountAbove(texts);
  return (row) => {
    const number = row.get('account_number').text || above.number;
    const label = row.get('account').text || above.label;
    const accountKey = [number, label, format.hasAccountTitle ? title : ''].join('\n');
    return {
      accountKey,
      addAccount() {
        if (builder.accounts.has(accountKey)) return;
        const name = toAccountName(format, { number, label, title });
        builder.accounts.set(accountKey, { key: accountKey, name, currency: table.accountCurrency });
      },
    };
  };
}

/** Returns the message about a row with more cells than its header, or undefined. */
export function findLengthError({ record: { cells } }: Row, { header }: ReadableTable): string | undefined {
  const length = cells.findLastIndex((cell) => cell !== '') + 1;
  return header.length > 0 && length > header.length
    ? 'The line has more cells than the header. Put texts and numbers with separators in quotes.'
    : undefined;
}
