import { countFactorDecimals } from './count-factor-decimals.ts';
import { formatLocale } from './format-locale.ts';
import { createDateFormat } from './date-format.ts';
import { makeOnce } from './make-once.ts';

/** Cached formatters of all numbers and dates on screen. Creating a formatter costs as much as fifty calls of it. */
const formatByKind = new Map<string, Intl.NumberFormat>();

/** Formats a number in the screen's locale. `kind` names the options. */
function formatNumber(value: number, kind: string, options: Intl.NumberFormatOptions): string {
  return toTypographic(getFormat(kind, options).format(value));
}

/**
 * Replaces the hyphen by a true minus sign, which is as wide as a digit in tabular figures, and the straight apostrophe
 * between Swiss thousands, which some versions of the locale's data have.
 */
const toTypographic = (text: string): string => text.replace('-', '\u2212').replaceAll("'", '’');

function getFormat(kind: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const locale = formatLocale.get();
  const key = `${locale}:${kind}`;
  let format = formatByKind.get(key);
  if (!format) {
    format = new Intl.NumberFormat(getNumberLocale(locale), options);
    formatByKind.set(key, format);
  }
  return format;
}

/**
 * Returns the locale with digits that English texts can contain. Languages that are written from right to left mark the
 * direction of their numbers, which would reorder an English line, so they have English numbers.
 */
function getNumberLocale(locale: string): string {
  const withLatinDigits = `${locale}-u-nu-latn`;
  const sample = new Intl.NumberFormat(withLatinDigits, { style: 'currency', currency: 'ILS' }).format(-1);
  return /[\u061c\u200e\u200f]/.test(sample) ? 'en-US' : withLatinDigits;
}

/** Formats an integer: `1234567` → `1,234,567`. */
export function formatInteger(value: number): string {
  return formatNumber(value, 'integer', { maximumFractionDigits: 0 });
}

/**
 * Formats an amount of money (ISO 4217), or a price with `decimals`. An invalid currency code follows the number. An
 * amount below the smallest unit has four significant digits, so that it never appears as zero.
 */
export function formatMoney(value: number, currency: string, decimals?: number): string {
  try {
    const text = formatNumber(value, `money:${currency}:${decimals ?? ''}`, getMoneyOptions(currency, decimals));
    if (decimals !== undefined || value === 0 || /[1-9]/.test(text)) return text;
    return formatMoney(value, currency, getSmallAmountDecimals(value));
  } catch {
    return `${formatFigure(value, 2)} ${currency}`;
  }
}

const getMoneyOptions = (currency: string, decimals?: number): Intl.NumberFormatOptions => ({
  style: 'currency',
  currency,
  ...(decimals !== undefined && { maximumFractionDigits: decimals }),
});

/** Formats an amount of money with exactly `decimals` decimals. */
export function formatMoneyExactly(value: number, currency: string, decimals: number): string {
  return formatNumber(value, `exact-money:${currency}:${decimals}`, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** Returns the number of decimals of a currency's amounts: 2 for dollars, 0 for yen. An unknown currency has 2. */
export function getMoneyDecimals(currency: string): number {
  try {
    return getFormat(`money:${currency}:`, getMoneyOptions(currency)).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** Returns the number of decimals with which `formatMoney` shows an amount. */
export function getShownDecimals(value: number, currency: string): number {
  const decimals = getMoneyDecimals(currency);
  return Math.abs(value) >= 0.5 * 10 ** -decimals ? decimals : (getSmallAmountDecimals(value) ?? decimals);
}

/**
 * Returns the decimals that give an amount below one four digits: 7 for 0.0004. Returns undefined for zero and for
 * amounts of at least one.
 */
export function getSmallAmountDecimals(value: number): number | undefined {
  const absoluteValue = Math.abs(value);
  return absoluteValue === 0 || absoluteValue >= 1
    ? undefined
    : Math.min(20, 3 - Math.floor(Math.log10(absoluteValue)));
}

/**
 * Formats an amount with an unknown currency: `2.61`. Uses up to `maxDecimals` decimals, or more if the amount would
 * appear as zero.
 */
export function formatFigure(value: number, maxDecimals: number): string {
  const text = formatNumber(value, `figure:${maxDecimals}`, {
    minimumFractionDigits: 2,
    maximumFractionDigits: maxDecimals,
  });
  const decimals = getSmallAmountDecimals(value) ?? 0;
  return decimals <= maxDecimals || /[1-9]/.test(text) ? text : formatFigure(value, decimals);
}

/** Formats a number with every stored digit: `120.348`, `0.0000001234`. */
export function formatExact(value: number): string {
  return formatNumber(value, 'exact', { maximumFractionDigits: 10 });
}

/** Formats a change in percent with its sign: `2.1` → `+2.10%`. Zero and minus zero have no sign. */
export function formatChange(percent: number): string {
  const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return formatNumber(percent / 100, 'change', { style: 'percent', ...twoDecimals, signDisplay: 'exceptZero' });
}

/** Significant digits of an exchange rate, at least. */
const RATE_DIGITS = 5;

/**
 * Formats an exchange rate with five digits, `0.0063412`, `1.3142`, `19,300`, or with more of them if it is shown beside
 * amounts that it converts. They then give the converted amounts, with the decimals of `currency`.
 */
export function formatRate(value: number, amounts: readonly number[] = [], currency = ''): string {
  const min = Math.max(0, RATE_DIGITS - 1 - Math.floor(Math.log10(value)));
  const decimals = countFactorDecimals(value, amounts, { decimals: getMoneyDecimals(currency), min });
  return formatNumber(value, `rate:${decimals}`, { maximumFractionDigits: decimals });
}

/**
 * Formats a percentage without sign: `12.3` → `12.30%`. Uses up to `maxDecimals` decimals, or more if it would appear as
 * zero.
 */
export function formatPercent(percent: number, maxDecimals = 2): string {
  const text = formatPercentWith(percent, 2, maxDecimals);
  const decimals = getSmallAmountDecimals(percent) ?? 0;
  return decimals <= maxDecimals || /[1-9]/.test(text) ? text : formatPercent(percent, decimals);
}

/** Formats a percentage with these fewest and most decimals: `12.34, 1, 1` → `12.3%`. */
export const formatPercentWith = (
  percent: number,
  minimumFractionDigits: number,
  maximumFractionDigits: number,
): string =>
  formatNumber(percent, `percent:${minimumFractionDigits}:${maximumFractionDigits}`, {
    style: 'unit',
    unit: 'percent',
    minimumFractionDigits,
    maximumFractionDigits,
  });

/** Formats a large amount in short form: `3.21e12` dollars → `$3.21T`. */
export function formatCompactMoney(value: number, currency: string): string {
  if (Math.abs(value) < 1) return formatMoney(value, currency);
  return formatCompact(value, `compact:${currency}`, { style: 'currency', currency });
}

/** Formats a large number in short form: `41_200_000` → `41.2M`. */
export function formatCompactNumber(value: number): string {
  return formatCompact(value, 'compact', {});
}

const getEnglishCompactFormat = makeOnce(
  () => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 }),
);

/**
 * Formats a number with the letter of the English short form, because the texts beside it are English: French writes 10¹²
 * as `1 Bn`, which means 10⁹ in English.
 */
function formatCompact(value: number, kind: string, options: Intl.NumberFormatOptions): string {
  const [, digits = '', letter = ''] = /^(.*?)([A-Z]?)$/.exec(getEnglishCompactFormat().format(value))!;
  const figure = Number(digits.replaceAll(',', ''));
  const format = getFormat(kind, { ...options, minimumFractionDigits: 0, maximumFractionDigits: 2 });
  const parts = format.formatToParts(figure);
  const end = parts.findLastIndex(({ type }) => type === 'integer' || type === 'fraction');
  return toTypographic(parts.map((part, index) => (index === end ? `${part.value}${letter}` : part.value)).join(''));
}

const formatMediumDay = createDateFormat({ dateStyle: 'medium' });
const formatMonthOfYear = createDateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Formats a month: `2026-11` → `November 2026`. */
export function formatMonth(month: string): string {
  return formatMonthOfYear(new Date(`${month}-01T00:00:00Z`));
}

/** Formats an ISO time as a day in the reader's time zone: `Nov 21, 2026`. */
export function formatDay(iso: string): string {
  return formatMediumDay(new Date(iso));
}

const formatZonedMoment = createDateFormat({
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** Formats an ISO time with hours, minutes and the reader's time zone: `Nov 21, 2026, 3:15 PM GMT+1`. */
export const formatMoment = (iso: string): string => formatZonedMoment(new Date(iso));

const MINUTE_MS = 60_000;

/** Formats an age briefly: `now`, `12 min`, `5 h`, `3 d`, then the date. */
export function formatAge(iso: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(iso)) / MINUTE_MS);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  return minutes < 7 * 24 * 60 ? `${Math.floor(minutes / (24 * 60))} d` : formatDay(iso);
}
