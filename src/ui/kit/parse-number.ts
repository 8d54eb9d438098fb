import { makeOnce } from './make-once.ts';

interface NumberFormatRules {
  /** BCP 47 tag of the browser's language. */
  locale: string;
  /** ISO 4217 code of an amount of money, whose sign may precede or follow it. undefined if no currency is allowed. */
  currency?: string | undefined;
  /** Maximum stored decimals. A number with more decimals is rejected, never rounded. */
  maxDecimals: number;
}

/** `message` states what is wrong with the text and what to type instead. */
export type ParsedNumber = { ok: true; value: number } | { ok: false; message: string };

/**
 * Parses a number in the notation of the browser's language or of English. docs/explanation/web-app.md lists the rules.
 * An ambiguous text is rejected with both readings. Nothing is rounded or omitted.
 */
export function parseNumber(typed: string, { locale, currency, maxDecimals }: NumberFormatRules): ParsedNumber {
  const quoted = `“${typed.trim()}”`;
  const toError = (message: string): ParsedNumber => ({ ok: false, message });
  const split = splitText(typed);
  const toNotANumberError = (): ParsedNumber =>
    toError(`${quoted} is not a number. Use digits, such as ${formatExample(locale)}.`);
  if (split === undefined || !/\d/.test(split.body)) return toNotANumberError();
  const sign = split.isNegative ? '-' : '';
  if (split.currencyMark !== '' && currency === undefined)
    return toError(`Type only the number of ${quoted}, without “${split.currencyMark}”.`);
  if (split.currencyMark !== '' && !listCurrencyMarks(currency!, locale).has(split.currencyMark.toUpperCase()))
    return toError(`${quoted} is not in ${currency}. Type the amount in ${currency}.`);
  const candidates = parseDigits(split.body, locale);
  if (candidates.length === 0) return toNotANumberError();
  if (candidates.length === 2) {
    const [first, second] = candidates.map((digits) => formatDigits(digits, locale));
    return toError(`${quoted} can be two numbers. Type ${sign}${first} or ${sign}${second}.`);
  }
  const [digits] = candidates as [string];
  if ((digits.split('.')[1] ?? '').length > maxDecimals)
    return toError(`${quoted} has more than ${maxDecimals} decimals. Round it to ${maxDecimals}.`);
  const value = Number(digits);
  if (toPlainDigits(value) !== digits)
    return toError(`${quoted} has more digits than can be stored. Round it to 15 digits.`);
  return { ok: true, value: split.isNegative && value !== 0 ? -value : value };
}

/** Formats a number with all its digits for a field. `parseNumber` returns this number for the text in this locale. */
export function formatNumberInput(value: number, locale: string): string {
  return `${value < 0 ? '-' : ''}${formatDigits(toPlainDigits(Math.abs(value)), locale)}`;
}

const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const SIGN = /[-+\u2010\u2012\u2013\u2212\ufe63]/;
/** Separators with only one meaning: the Arabic decimal and thousands signs. */
const ARABIC_DECIMAL = '\u066b';
const ARABIC_GROUP = '\u066c';

/** Removes one sign and one currency from a text. Returns undefined if other characters remain next to the digits. */
function splitText(typed: string): { isNegative: boolean; currencyMark: string; body: string } | undefined {
  const text = toAsciiDigits(typed.replace(INVISIBLE, ''))
    .replace(/[\s\u2007]/g, ' ')
    .replace(/[\u2019\u02bc]/g, "'")
    .trim();
  const [, prefix = '', body = '', suffix = ''] = new RegExp(
    `^([^\\d.,${ARABIC_DECIMAL}]*)(.*?)([^\\d.,${ARABIC_DECIMAL}]*)$`,
  ).exec(text)!;
  const sign = SIGN.exec(prefix)?.[0];
  const currencyMarks = [prefix.replace(SIGN, ''), suffix]
    .map((currencyMark) => currencyMark.normalize('NFKC').trim())
    .filter(Boolean);
  if (
    currencyMarks.length > 1 ||
    !currencyMarks.every((currencyMark) => /^(?=.*[\p{L}\p{Sc}])[\p{L}\p{Sc}]{1,4}$/u.test(currencyMark))
  )
    return undefined;
  return { isNegative: sign !== undefined && sign !== '+', currencyMark: currencyMarks[0] ?? '', body };
}

const getDigitValues = makeOnce(() => {
  const values = new Map<string, string>();
  for (const numberingSystem of Intl.supportedValuesOf('numberingSystem')) {
    const format = new Intl.NumberFormat('en', { numberingSystem });
    for (let digit = 0; digit < 10; digit += 1) values.set(format.format(digit), String(digit));
  }
  return values;
});

/** Converts digits of every script, and the full-width forms of ASCII, to ASCII. */
const toAsciiDigits = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (fullWidth) => String.fromCharCode(fullWidth.charCodeAt(0) - 0xfee0))
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => getDigitValues().get(digit) ?? digit);

/**
 * Returns the possible meanings of a text without sign and currency, as digits with a decimal point: none, one or two
 * numbers. Only a separator before exactly three digits is ambiguous: a comma there groups thousands in English and
 * starts decimals in German.
 */
function parseDigits(body: string, locale: string): string[] {
  const { decimal, group, isLakh } = getSeparators(locale);
  const asPoint = parseWithSeparators('.', ',', body, isLakh);
  const asComma = parseWithSeparators(',', '.', body, isLakh);
  if (asPoint !== undefined && asComma !== undefined && asPoint !== asComma) {
    const isDecimalPointExpected = body.includes('.') ? decimal === '.' : decimal === '.' && group === ',';
    return isDecimalPointExpected ? [asPoint] : [asPoint, asComma].toSorted((a, b) => Number(b) - Number(a));
  }
  const parsed = asPoint ?? asComma;
  return parsed === undefined ? [] : [parsed];
}

/** Parses with one decimal sign and groups of three digits or lakhs. Returns undefined if the text is malformed. */
function parseWithSeparators(decimal: string, group: string, body: string, isLakh: boolean): string | undefined {
  for (const separator of [group, ' ', "'", ARABIC_GROUP]) {
    const sign = `[${decimal}${ARABIC_DECIMAL}]`;
    const groupsOfThree = `[1-9]\\d{0,2}(?:[${separator}]\\d{3})+`;
    const lakhs = `[1-9]\\d?(?:[${separator}]\\d{2})+[${separator}]\\d{3}`;
    const integerPattern = `(\\d+|${groupsOfThree}${isLakh ? `|${lakhs}` : ''})`;
    const [, digits, fraction = ''] =
      new RegExp(`^${integerPattern}(?:${sign}(\\d*))?$`).exec(body) ??
      new RegExp(`^()${sign}(\\d+)$`).exec(body) ??
      [];
    if (digits !== undefined) return trimZeros(digits.replace(/\D/g, ''), fraction);
  }
  return undefined;
}

/** Removes zeros without meaning: `007` and `50` become `7.5`. */
function trimZeros(integerDigits: string, fraction: string): string {
  const integerPart = integerDigits.replace(/^0+(?=\d)/, '') || '0';
  const fractionPart = fraction.replace(/0+$/, '');
  return fractionPart === '' ? integerPart : `${integerPart}.${fractionPart}`;
}

/**
 * Formats digits in the notation of this locale. Three decimals get an extra zero, so that they are not parsed as
 * thousands.
 */
function formatDigits(digits: string, locale: string): string {
  const text = getSeparators(locale).decimal === ',' ? digits.replace('.', ',') : digits;
  return parseDigits(text, locale).length === 1 ? text : `${text}0`;
}

const getFullPrecisionFormat = makeOnce(
  () => new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 20 }),
);
const toPlainDigits = (value: number): string => getFullPrecisionFormat().format(value);

const formatExample = (locale: string): string => createNumberFormat(locale).format(1234.56);

function getSeparators(locale: string): { decimal: string; group: string; isLakh: boolean } {
  const formatParts = createNumberFormat(locale).formatToParts(12_345_678.9);
  const findPart = (type: string): string => formatParts.find((formatPart) => formatPart.type === type)?.value ?? '';
  const lengths = formatParts.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
  return { decimal: findPart('decimal'), group: findPart('group'), isLakh: lengths.at(-2) === 2 };
}

/** Creates a number format. Falls back to English if the browser's tag is invalid. */
function createNumberFormat(locale: string, options?: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, options);
  } catch {
    return new Intl.NumberFormat('en-US', options);
  }
}

/** Returns the marks of a currency in this language and in English, in upper case: `USD`, `US$`, `$`. */
function listCurrencyMarks(currency: string, locale: string): ReadonlySet<string> {
  const currencyMarks = [locale, 'en-US', 'en-GB'].flatMap((language) =>
    (['code', 'symbol', 'narrowSymbol'] as const).map((currencyDisplay) =>
      createNumberFormat(language, { style: 'currency', currency, currencyDisplay })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')
        ?.value.normalize('NFKC')
        .toUpperCase(),
    ),
  );
  return new Set(currencyMarks.filter((currencyMark) => currencyMark !== undefined));
}
