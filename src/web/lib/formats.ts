import { dateFormat } from './made-once.ts';

/**
 * Every number and date on screen goes through here. Formatters are made once per kind: making one costs about
 * fifty times a call of it.
 */
const LOCALE = 'en-US';
const made = new Map<string, Intl.NumberFormat>();

function numberFormat(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  let format = made.get(key);
  if (!format) made.set(key, (format = new Intl.NumberFormat(LOCALE, options)));
  return format;
}

const MINUS = '\u2212';
/** A true minus sign is as wide as a digit in tabular figures; a hyphen is not. */
const withMinus = (text: string): string => text.replace('-', MINUS);

/** `1234567` → `1,234,567`. */
export function formatInteger(value: number): string {
  return withMinus(numberFormat('integer', { maximumFractionDigits: 0 }).format(value));
}

/** A price in the listing's own currency (ISO 4217); a currency that is not one is written after the number. */
export function formatMoney(value: number, currency: string): string {
  try {
    return withMinus(numberFormat(`money:${currency}`, { style: 'currency', currency }).format(value));
  } catch {
    return withMinus(
      `${numberFormat('money', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)} ${currency}`,
    );
  }
}

/** An amount of which the currency is not known: `2.61`, with so many decimals at most. */
export function formatFigure(value: number, most: number): string {
  return withMinus(
    numberFormat(`figure:${most}`, { minimumFractionDigits: 2, maximumFractionDigits: most }).format(value),
  );
}

/** A change in percent with its sign: `2.1` → `+2.10%`. Zero, also minus zero, has none. */
export function formatChange(percent: number): string {
  return withMinus(
    numberFormat('change', {
      style: 'percent',
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      signDisplay: 'exceptZero',
    }).format(percent / 100),
  );
}

/** A large amount in short: `3.21e12` dollars → `$3.21T`. */
export function formatCompactMoney(value: number, currency: string): string {
  const key = `compact:${currency}`;
  return withMinus(
    numberFormat(key, { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 2 }).format(value),
  );
}

const day = dateFormat({ dateStyle: 'medium' });
const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });
const monthOfYear = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2026-11` → `November 2026`. */
export function formatMonth(month: string): string {
  return monthOfYear(new Date(`${month}-01T00:00:00Z`));
}

/** An ISO time as a day in the reader's time zone: `Nov 21, 2026`. */
export function formatDay(iso: string): string {
  return day(new Date(iso));
}

/** An ISO time with hours and minutes in the reader's time zone. */
export function formatMoment(iso: string): string {
  return moment(new Date(iso));
}
