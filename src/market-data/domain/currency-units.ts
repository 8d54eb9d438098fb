import type { Candle, Quote } from './market-data-provider.ts';

/** Units of one hundredth of a currency, in their exact declared spelling: "GBp" is pence, "GBP" is pounds. */
const minorUnits: ReadonlyMap<string, string> = new Map([
  ['GBp', 'GBP'],
  ['GBX', 'GBP'],
  ['ZAc', 'ZAR'],
  ['ZAC', 'ZAR'],
  ['ILA', 'ILS'],
]);

interface DeclaredCurrency {
  /** ISO 4217 code, or null if none or an invalid one was declared. */
  currency: string | null;
  /** The declared minor unit, or null if prices are in the currency itself. */
  unit: string | null;
}

/** Parses a declared currency. Never guesses from a suffix and never scales without a declaration. */
export function parseCurrency(declared: string | null): DeclaredCurrency {
  if (declared === null) return { currency: null, unit: null };
  const major = minorUnits.get(declared);
  if (major !== undefined) return { currency: major, unit: declared };
  return { currency: /^[A-Z]{3}$/.test(declared) ? declared : null, unit: null };
}

const toMajorUnit = <T extends number | null>(value: T): T =>
  (value === null ? value : Number((value / 100).toPrecision(15))) as T;

/**
 * Converts all prices of a quote to the currency of the listing. The market cap stays unchanged (see
 * `chooseMarketCap`).
 */
export function convertQuote(quote: Quote, unit: string | null): Quote {
  if (unit === null) return quote;
  const { price, prevClose, open, dayHigh, dayLow } = quote;
  return {
    ...quote,
    price: toMajorUnit(price),
    prevClose: toMajorUnit(prevClose),
    open: toMajorUnit(open),
    dayHigh: toMajorUnit(dayHigh),
    dayLow: toMajorUnit(dayLow),
  };
}

/** Converts a candle to the currency of the listing. */
export function convertCandle(candle: Candle, unit: string | null): Candle {
  if (unit === null) return candle;
  return {
    ...candle,
    open: toMajorUnit(candle.open),
    high: toMajorUnit(candle.high),
    low: toMajorUnit(candle.low),
    close: toMajorUnit(candle.close),
  };
}

/**
 * Returns the market cap in the currency. Providers disagree on whether it is in pence. Returns the reading within a
 * factor of two of the last known one. Without a known one returns null, because the figure could be wrong by a factor
 * of 100.
 */
export function chooseMarketCap(reported: number | null, unit: string | null, previous: number | null): number | null {
  if (reported === null || unit === null) return reported;
  if (previous === null || previous <= 0) return null;
  return [reported, reported / 100].find((value) => value > previous / 2 && value < previous * 2) ?? null;
}
