import { makeOnce } from './make-once.ts';

/** Every number and date on screen goes through here. Making a formatter costs fifty calls of it: each is made once. */
const formatByKind = new Map<string, Intl.NumberFormat>();

/** Writes a number with a true minus sign: it is as wide as a digit in tabular figures, and a hyphen is not. */
function formatNumber(value: number, kind: string, options: Intl.NumberFormatOptions): string {
  let format = formatByKind.get(kind);
  if (!format) formatByKind.set(kind, (format = new Intl.NumberFormat('en-US', options)));
  return format.format(value).replace('-', '\u2212');
}

/** `1234567` → `1,234,567`. */
export function formatInteger(value: number): string {
  return formatNumber(value, 'integer', { maximumFractionDigits: 0 });
}

/**
 * An amount of money (ISO 4217), or of a price with `decimals`; a currency that is not one is written after the number.
 * Less than the currency's smallest coin has four digits, so that it is never shown as nothing.
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

/** Decimals with which an amount below one has four digits: 7 of 0.0004; undefined of one and more, and of nothing. */
export function getSmallAmountDecimals(value: number): number | undefined {
  const absoluteValue = Math.abs(value);
  return absoluteValue === 0 || absoluteValue >= 1
    ? undefined
    : Math.min(20, 3 - Math.floor(Math.log10(absoluteValue)));
}

/** An amount of which the currency is not known: `2.61`, with so many decimals, or more where it would be nothing. */
export function formatFigure(value: number, maxDecimals: number): string {
  const text = formatNumber(value, `figure:${maxDecimals}`, {
    minimumFractionDigits: 2,
    maximumFractionDigits: maxDecimals,
  });
  const decimals = getSmallAmountDecimals(value) ?? 0;
  return decimals <= maxDecimals || /[1-9]/.test(text) ? text : formatFigure(value, decimals);
}

/** A change in percent with its sign: `2.1` → `+2.10%`. Zero, also minus zero, has none. */
export function formatChange(percent: number): string {
  const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return formatNumber(percent / 100, 'change', { style: 'percent', ...twoDecimals, signDisplay: 'exceptZero' });
}

/** A large amount in short: `3.21e12` dollars → `$3.21T`. */
export function formatCompactMoney(value: number, currency: string): string {
  if (Math.abs(value) < 1) return formatMoney(value, currency);
  const compactOptions = { notation: 'compact', maximumFractionDigits: 2 } as const;
  return formatNumber(value, `compact:${currency}`, { style: 'currency', currency, ...compactOptions });
}

/** Writes dates in one way; the formatter behind it is made when the first one is written. */
export function createDateFormat(options: Intl.DateTimeFormatOptions, locale = 'en-US'): (at: Date) => string {
  const formatter = makeOnce(() => new Intl.DateTimeFormat(locale, options));
  return (at) => formatter().format(at);
}

const formatMediumDay = createDateFormat({ dateStyle: 'medium' });
const formatMediumMoment = createDateFormat({ dateStyle: 'medium', timeStyle: 'short' });
const formatMonthOfYear = createDateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2026-11` → `November 2026`. */
export function formatMonth(month: string): string {
  return formatMonthOfYear(new Date(`${month}-01T00:00:00Z`));
}

/** An ISO time as a day in the reader's time zone: `Nov 21, 2026`. */
export function formatDay(iso: string): string {
  return formatMediumDay(new Date(iso));
}

/** An ISO time with hours and minutes in the reader's time zone. */
export function formatMoment(iso: string): string {
  return formatMediumMoment(new Date(iso));
}
