import { isCurrency } from '../../../market-data/contract.ts';
import { parseCurrency } from '../../../market-data/domain/currency-units.ts';

export type DecimalMark = '.' | ',';

/** `unknown`: the cell is empty or says that there is no figure. `currency` is an ISO 4217 code beside the number. */
export type ParsedAmount =
  | { kind: 'amount'; value: string; currency: string | null }
  | { kind: 'unknown' }
  | { kind: 'invalid'; message: string };

const UNKNOWN = /^(?:-+|n\.?\/?a\.?|null|none|unknown|incomplete|not available|\.\.\.|…)$/i;
/** Currency before or after a number: a code, or a sign with or without a country. `K$` or `T€` would be thousands. */
const CURRENCY = `(?:[A-Z]{3}|(?:US|CA|AU|NZ|HK|SG|MX|NT|JP|CN|[ACRS])?\\p{Sc})`;
const AMOUNT = new RegExp(
  `^(?<open>\\()?\\s*(?<sign>[-+])?\\s*(?<before>${CURRENCY})?\\s*(?<inner>[-+])?\\s*(?<body>(?=[.,'\u2019\\s]*\\d)[\\d.,'\u2019\\s]*?)\\s*(?<after>${CURRENCY})?(?<trailing>-)?\\s*(?<close>\\))?$`,
  'u',
);
/** Signs that belong to one currency. A dollar sign belongs to many. */
const CURRENCY_SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' };
/** A number that a spreadsheet has shortened, so that its digits are lost. */
const SHORTENED = /^[-+]?\d+(?:[.,]\d+)?E[-+]?\d+$/i;
const MAX_CELL_LENGTH = 60;

/** Returns the currency of a code or a minor unit such as GBX. Returns undefined if there is no such currency. */
export function findCurrency(code: string): { code: string; isMinorUnit: boolean } | undefined {
  const { currency, unit } = parseCurrency(code);
  return currency !== null && isCurrency(currency) ? { code: currency, isMinorUnit: unit !== null } : undefined;
}

interface AmountParts {
  body: string;
  isNegative: boolean;
  currency: string | null;
}

/** Splits a cell into digits, sign and currency. A number in parentheses is negative. Two currencies are invalid. */
function splitAmount(text: string): AmountParts | undefined {
  const groups = text.length > MAX_CELL_LENGTH ? undefined : AMOUNT.exec(text)?.groups;
  if (!groups || (groups['open'] === undefined) !== (groups['close'] === undefined)) return undefined;
  const isMinus = [groups['sign'], groups['inner'], groups['trailing']].includes('-');
  const codes = new Set(
    [groups['before'], groups['after']]
      .map((currency = '') => CURRENCY_SIGNS[currency] ?? currency)
      .filter((currency) => /^[A-Z]{3}$/.test(currency)),
  );
  const [code] = codes;
  if (codes.size > 1) return undefined;
  return {
    body: groups['body']!.trim(),
    isNegative: isMinus || groups['open'] !== undefined,
    currency: code ?? null,
  };
}

const createDigits = (mark: DecimalMark, group: DecimalMark): RegExp =>
  new RegExp(`^(?:(\\d+)|([1-9]\\d{0,2}(?:([${group} '\u2019])\\d{3})(?:\\3\\d{3})*))?(?:[${mark}](\\d*))?$`);
const DIGITS: Readonly<Record<DecimalMark, RegExp>> = { '.': createDigits('.', ','), ',': createDigits(',', '.') };

/** Reads digits with one decimal mark, with or without groups of three. Returns undefined if they have another form. */
function readDigits(body: string, mark: DecimalMark): string | undefined {
  const match = DIGITS[mark].exec(body);
  if (!match) return undefined;
  const integerDigits = (match[1] ?? match[2] ?? '').replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  const decimals = (match[4] ?? '').replace(/0+$/, '');
  return decimals === '' ? integerDigits || '0' : `${integerDigits || '0'}.${decimals}`;
}

/** Numbers that are already in the form of the result. Most cells of a file are such numbers. */
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d{0,17})$/;
const PLAIN_DECIMAL = /^-?(?:0|[1-9]\d{0,17})\.\d{0,17}[1-9]$/;

/** Removes invisible characters, and writes all dashes and spaces in one form. */
const toPlainCell = (cell: string): string =>
  PLAIN_TEXT.test(cell)
    ? cell
    : cell
        .replace(/\p{Cf}/gu, '')
        .replace(/[\u2010-\u2015\u2212\ufe63]/g, '-')
        .replace(/\s+/g, ' ')
        .trim();
const PLAIN_TEXT = /^[!-~]*(?: [!-~]+)*$/;

/**
 * Parses a cell of a broker's file into an exact decimal number. Without a known decimal mark, a number with two
 * readings is invalid, such as `1,234`. Nothing is guessed or omitted.
 */
export function parseAmount(cell: string, mark: DecimalMark | null): ParsedAmount {
  if (PLAIN_INTEGER.test(cell) || (mark === '.' && PLAIN_DECIMAL.test(cell)))
    return { kind: 'amount', value: cell, currency: null };
  const text = toPlainCell(cell);
  if (text === '' || UNKNOWN.test(text)) return { kind: 'unknown' };
  const quoted = `“${text.slice(0, 40)}”`;
  if (SHORTENED.test(text))
    return { kind: 'invalid', message: `${quoted} was shortened by a spreadsheet. Format the column as a number.` };
  const parts = splitAmount(text);
  if (!parts) return rejectText(text);
  const marks: readonly DecimalMark[] = mark === null ? ['.', ','] : [mark];
  const readings = [...new Set(marks.flatMap((candidate) => readDigits(parts.body, candidate) ?? []))];
  if (readings.length === 2)
    return {
      kind: 'invalid',
      message: `${quoted} can be ${readings.join(' or ')}. Write it without separators of thousands.`,
    };
  const [digits] = readings;
  if (digits === undefined)
    return {
      kind: 'invalid',
      message: `${quoted} is not a number in the notation of this file. Write it like ${mark === ',' ? '1.234,56' : '1,234.56'}.`,
    };
  const value = parts.isNegative && digits !== '0' ? `-${digits}` : digits;
  return { kind: 'amount', value, currency: parts.currency };
}

/** Parses a quantity. Letters that are no currency, such as `MIO`, could multiply it, so they are invalid. */
export const parseQuantity = (cell: string, mark: DecimalMark | null): ParsedAmount =>
  toQuantity(parseAmount(cell, mark), cell);

/** Returns the amount of a cell as a quantity. */
export function toQuantity(amount: ParsedAmount, cell: string): ParsedAmount {
  const isUnknownUnit = amount.kind === 'amount' && amount.currency !== null && !findCurrency(amount.currency);
  return isUnknownUnit ? rejectText(toPlainCell(cell)) : amount;
}

const rejectText = (text: string): ParsedAmount => ({
  kind: 'invalid',
  message: `“${text.slice(0, 40)}” is not a number. Use digits, such as 1234.56.`,
});

/** Numbers that have one reading, as most do: three digits after the mark could be thousands. */
const CLEAR_NUMBER = /^-?\d+([.,])(?:\d{1,2}|\d{4,})$/;

/** Returns the decimal mark that a cell proves, or undefined. */
function findMarkOfCell(cell: string): DecimalMark | undefined {
  if (cell === '' || PLAIN_INTEGER.test(cell)) return undefined;
  const clear = CLEAR_NUMBER.exec(cell);
  // The pattern has no other mark.
  if (clear) return clear[1] as DecimalMark;
  const parts = splitAmount(toPlainCell(cell));
  const asPoint = parts && readDigits(parts.body, '.');
  const asComma = parts && readDigits(parts.body, ',');
  if ((asPoint === undefined) === (asComma === undefined)) return undefined;
  return asPoint === undefined ? ',' : '.';
}

/** Returns the decimal mark that the numbers of a file prove, or null if none or both do. */
export function findDecimalMark(cells: readonly string[]): DecimalMark | null {
  const marks = new Set(cells.map(findMarkOfCell));
  const hasPoint = marks.has('.');
  if (hasPoint === marks.has(',')) return null;
  return hasPoint ? '.' : ',';
}

/** Returns whether a cell is a number, with or without a currency. */
export function isNumber(cell: string): boolean {
  if (PLAIN_INTEGER.test(cell) || PLAIN_DECIMAL.test(cell)) return true;
  const parts = /\d/.test(cell) ? splitAmount(toPlainCell(cell)) : undefined;
  return parts !== undefined && (readDigits(parts.body, '.') ?? readDigits(parts.body, ',')) !== undefined;
}
