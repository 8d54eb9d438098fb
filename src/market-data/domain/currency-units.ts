import type { Candle, Quote } from './market-data-provider.ts';

/** Units that are a hundredth of a currency, exactly as they are declared: "GBp" is pence, "GBP" is pounds. */
const minorUnits: ReadonlyMap<string, string> = new Map([
  ['GBp', 'GBP'],
  ['GBX', 'GBP'],
  ['ZAc', 'ZAR'],
  ['ZAC', 'ZAR'],
  ['ILA', 'ILS'],
]);

interface DeclaredCurrency {
  /** ISO 4217; `null` where none was declared, or something that is no currency. */
  currency: string | null;
  /** The minor unit that was declared; `null`: prices are in the currency itself. */
  unit: string | null;
}

/** Reads a declared currency; nothing is guessed from a suffix, nor scaled without a declaration. */
export function parseCurrency(declared: string | null): DeclaredCurrency {
  if (declared === null) return { currency: null, unit: null };
  const major = minorUnits.get(declared);
  if (major !== undefined) return { currency: major, unit: declared };
  return { currency: /^[A-Z]{3}$/.test(declared) ? declared : null, unit: null };
}

const toMajorUnit = <T extends number | null>(value: T): T =>
  (value === null ? value : Number((value / 100).toPrecision(15))) as T;

/** The quote in the listing's currency: every price together, never the market cap (see `chooseMarketCap`). */
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

/** The candle in the listing's currency. */
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
 * Providers disagree on whether a market cap is in pence. The side within a factor of two of the last known one is
 * taken; without a known one none is shown rather than one that may be a hundredfold.
 */
export function chooseMarketCap(reported: number | null, unit: string | null, previous: number | null): number | null {
  if (reported === null || unit === null) return reported;
  if (previous === null || previous <= 0) return null;
  return [reported, reported / 100].find((value) => value > previous / 2 && value < previous * 2) ?? null;
}
