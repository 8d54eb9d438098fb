import { makeOnce } from './make-once.ts';

interface NumberField {
  /** BCP 47 tag of the browser's language. */
  locale: string;
  /** ISO 4217 code of an amount of money, whose sign may stand beside it; undefined where no currency may be named. */
  currency?: string | undefined;
  /** Decimals that are stored; a number with more is refused, never rounded. */
  maxDecimals: number;
}

/** `message` says what is wrong with the text and what to type instead. */
export type NumberReading = { ok: true; value: number } | { ok: false; message: string };

/**
 * Reads a number as people write it in the browser's language or in English: docs/explanation/web-app.md has the rules.
 * A text that can be two numbers is asked about; nothing is rounded or left out.
 */
export function readNumber(typed: string, { locale, currency, maxDecimals }: NumberField): NumberReading {
  const quoted = `“${typed.trim()}”`;
  const refuse = (message: string): NumberReading => ({ ok: false, message });
  const parts = splitText(typed);
  const notNumber = (): NumberReading => refuse(`${quoted} is not a number. Use digits, such as ${exampleIn(locale)}.`);
  if (parts === undefined || !/\d/.test(parts.body)) return notNumber();
  const sign = parts.isNegative ? '-' : '';
  if (parts.mark !== '' && currency === undefined)
    return refuse(`Type the number of ${quoted} alone, without “${parts.mark}”.`);
  if (parts.mark !== '' && !marksOf(currency!, locale).has(parts.mark.toUpperCase()))
    return refuse(`${quoted} is not in ${currency}. Type the amount in ${currency}.`);
  const read = readDigits(parts.body, locale);
  if (read.length === 0) return notNumber();
  if (read.length === 2) {
    const [first, second] = read.map((digits) => writeDigits(digits, locale));
    return refuse(`${quoted} can be two numbers. Type ${sign}${first} or ${sign}${second}.`);
  }
  const [digits] = read as [string];
  if ((digits.split('.')[1] ?? '').length > maxDecimals)
    return refuse(`${quoted} has more than ${maxDecimals} decimals. Round it to ${maxDecimals}.`);
  const value = Number(digits);
  if (plain(value) !== digits) return refuse(`${quoted} has more digits than can be kept. Round it to 15 digits.`);
  return { ok: true, value: parts.isNegative && value !== 0 ? -value : value };
}

/** Writes a number with all its digits into a field, so that `readNumber` reads the same number in this locale. */
export function writeNumber(value: number, locale: string): string {
  return `${value < 0 ? '-' : ''}${writeDigits(plain(Math.abs(value)), locale)}`;
}

const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const SIGN = /[-+\u2010\u2012\u2013\u2212\ufe63]/;
/** Separators that mean only one thing: Arabic decimal and thousands signs. */
const ARABIC_DECIMAL = '\u066b';
const ARABIC_GROUP = '\u066c';

/** Takes one sign and one currency off a text; undefined where anything else stands beside the digits. */
function splitText(typed: string): { isNegative: boolean; mark: string; body: string } | undefined {
  const text = asciiDigits(typed.replace(INVISIBLE, ''))
    .replace(/[\s\u2007]/g, ' ')
    .replace(/[\u2019\u02bc]/g, "'")
    .trim();
  const [, before = '', body = '', after = ''] = new RegExp(
    `^([^\\d.,${ARABIC_DECIMAL}]*)(.*?)([^\\d.,${ARABIC_DECIMAL}]*)$`,
  ).exec(text)!;
  const sign = SIGN.exec(before)?.[0];
  const marks = [before.replace(SIGN, ''), after].map((mark) => mark.normalize('NFKC').trim()).filter(Boolean);
  if (marks.length > 1 || !marks.every((mark) => /^(?=.*[\p{L}\p{Sc}])[\p{L}\p{Sc}]{1,4}$/u.test(mark)))
    return undefined;
  return { isNegative: sign !== undefined && sign !== '+', mark: marks[0] ?? '', body };
}

const digitValues = makeOnce(() => {
  const values = new Map<string, string>();
  for (const numberingSystem of Intl.supportedValuesOf('numberingSystem')) {
    const format = new Intl.NumberFormat('en', { numberingSystem });
    for (let digit = 0; digit < 10; digit += 1) values.set(format.format(digit), String(digit));
  }
  return values;
});

/** Digits of every script, and the full-width forms of ASCII, as ASCII. */
const asciiDigits = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => digitValues().get(digit) ?? digit);

/**
 * What a text without sign and currency can mean, as digits with a decimal point: none, one or two numbers. A comma
 * before exactly three digits is the hard case: it groups thousands in English and begins decimals in German.
 */
function readDigits(body: string, locale: string): string[] {
  const { decimal, group, isLakh } = separatorsOf(locale);
  const asPoint = readWith('.', ',', body, isLakh);
  const asComma = readWith(',', '.', body, isLakh);
  if (asPoint !== undefined && asComma !== undefined && asPoint !== asComma) {
    const isEnglishHere = body.includes('.') ? decimal === '.' : decimal === '.' && group === ',';
    return isEnglishHere ? [asPoint] : [asPoint, asComma].toSorted((a, b) => Number(b) - Number(a));
  }
  const read = asPoint ?? asComma;
  if (read === undefined) return [];
  const isDecimalComma = asPoint === undefined && /^[1-9]\d*,\d+$/.test(body);
  return isDecimalComma && decimal !== ',' ? [body.replace(',', ''), read] : [read];
}

/** Reads with one decimal sign, grouped in threes or as lakhs; undefined where it is not well formed. */
function readWith(decimal: string, group: string, body: string, isLakh: boolean): string | undefined {
  for (const separator of [group, ' ', "'", ARABIC_GROUP]) {
    const sign = `[${decimal}${ARABIC_DECIMAL}]`;
    const threes = `[1-9]\\d{0,2}(?:[${separator}]\\d{3})+`;
    const lakhs = `[1-9]\\d?(?:[${separator}]\\d{2})+[${separator}]\\d{3}`;
    const whole = `(\\d+|${threes}${isLakh ? `|${lakhs}` : ''})`;
    const [, digits, fraction = ''] =
      new RegExp(`^${whole}(?:${sign}(\\d*))?$`).exec(body) ?? new RegExp(`^()${sign}(\\d+)$`).exec(body) ?? [];
    if (digits !== undefined) return tidyDigits(digits.replace(/\D/g, ''), fraction);
  }
  return undefined;
}

/** Without zeros that say nothing: `007` and `50` are `7.5`. */
function tidyDigits(whole: string, fraction: string): string {
  const [first, rest] = [whole.replace(/^0+(?=\d)/, '') || '0', fraction.replace(/0+$/, '')];
  return rest === '' ? first : `${first}.${rest}`;
}

/** Digits as they are typed here; a zero behind three decimals keeps them from being read as thousands. */
function writeDigits(digits: string, locale: string): string {
  const text = separatorsOf(locale).decimal === ',' ? digits.replace('.', ',') : digits;
  return readDigits(text, locale).length === 1 ? text : `${text}0`;
}

const allDigits = makeOnce(() => new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 20 }));
const plain = (value: number): string => allDigits().format(value);

const exampleIn = (locale: string): string => formatIn(locale).format(1234.56);

function separatorsOf(locale: string): { decimal: string; group: string; isLakh: boolean } {
  const parts = formatIn(locale).formatToParts(12_345_678.9);
  const valueOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const lengths = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
  return { decimal: valueOf('decimal'), group: valueOf('group'), isLakh: lengths.at(-2) === 2 };
}

/** English where the browser's tag is none. */
function formatIn(locale: string, options?: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, options);
  } catch {
    return new Intl.NumberFormat('en-US', options);
  }
}

/** How a currency is marked in this language and in English, in upper case: `USD`, `US$`, `$`. */
function marksOf(currency: string, locale: string): ReadonlySet<string> {
  const marks = [locale, 'en-US', 'en-GB'].flatMap((language) =>
    (['code', 'symbol', 'narrowSymbol'] as const).map((currencyDisplay) =>
      formatIn(language, { style: 'currency', currency, currencyDisplay })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')
        ?.value.normalize('NFKC')
        .toUpperCase(),
    ),
  );
  return new Set(marks.filter((mark) => mark !== undefined));
}
