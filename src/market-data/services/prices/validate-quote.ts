import { chooseMarketCap, parseCurrency, convertQuote } from '../../domain/currency-units.ts';
import { EMPTY_DAY_FIGURES, type Quote } from '../../domain/market-data-provider.ts';
import { toCountOrNull, isPrice, toPriceOrNull } from '../../domain/plausible-figures.ts';
import { getDeclaredUnit } from './declared-units.ts';
import { findStoredClose, detectSplit, type SplitCheck } from './detect-split.ts';
import type { StoredPrice, PriceRow } from './price-queries.ts';

export type QuoteDecision =
  | ({ verdict: 'accept'; price: PriceRow } & SplitCheck)
  | { verdict: 'quarantine'; reason: string; /** New over old price. */ factor: number }
  | { verdict: 'reject'; reason: string };

/** Maximum clock skew in ms. A quote from further in the future would block every later price. */
const MAX_CLOCK_SKEW_MS = 15 * 60_000;

/** Accepts a quote, rejects an impossible one, or quarantines one with a jump that resembles a change of unit. */
export function validateQuote(quote: Quote, stored: StoredPrice, source: string, now: Date): QuoteDecision {
  // A sample price and a real one are not comparable.
  const isComparable = (stored.source === 'simulator') === (source === 'simulator');
  const previous = isComparable ? (stored.current_price ?? stored.last_close) : null;

  const declared = checkCurrency(quote, stored, source, isPrice(previous));
  if ('reason' in declared) return { verdict: 'reject', reason: declared.reason };
  const { unit } = declared;
  const converted = convertQuote(quote, unit);
  const rejectionReason = checkPlausibility(converted, now);
  if (rejectionReason !== undefined) return { verdict: 'reject', reason: rejectionReason };

  const factor = isPrice(previous) ? converted.price / previous : 1;
  if (isLikelyUnitFlip(factor)) {
    const reason = `the price went from ${previous} to ${converted.price}, which suggests a change of unit`;
    return { verdict: 'quarantine', reason, factor };
  }

  const price = toPriceRow(converted, stored, {
    source,
    unit,
    knownMarketCap: isComparable ? stored.market_cap : null,
  });
  const storedClose = stored.source === source ? findStoredClose(stored, new Date(price.price_at)) : undefined;
  return { verdict: 'accept', price, ...detectSplit(price.current_price, price.prev_close, storedClose) };
}

/** Returns the unit of a quote: its own declaration, otherwise the provider's declaration for the listing. */
function checkCurrency(
  quote: Quote,
  stored: StoredPrice,
  source: string,
  hasPrevious: boolean,
): { unit: string | null } | { reason: string } {
  const declared =
    quote.currency === null
      ? { currency: stored.currency, unit: getDeclaredUnit(stored, source) }
      : parseCurrency(quote.currency);
  if (stored.currency !== null && declared.currency !== null && declared.currency !== stored.currency)
    return { reason: `quoted in ${declared.currency}, listed in ${stored.currency}` };
  if (declared.unit !== undefined) return { unit: declared.unit };
  // If there is a previous price, a quote in the wrong unit is quarantined by comparison.
  return hasPrevious ? { unit: null } : { reason: `${source} has not declared the unit of its quotes` };
}

/** Returns the error of price or time, or undefined if both are plausible. */
function checkPlausibility({ price, asOf }: Quote, now: Date): string | undefined {
  if (!isPrice(price)) return 'no price';
  const time = Date.parse(asOf);
  if (Number.isNaN(time)) return 'no time';
  return time > now.getTime() + MAX_CLOCK_SKEW_MS ? 'a time in the future' : undefined;
}

/**
 * Returns whether a factor is 80 to 125 in either direction. Providers switch between pounds and pence from one day to
 * the next.
 */
export function isLikelyUnitFlip(factor: number): boolean {
  return (factor >= 80 && factor <= 125) || (factor >= 1 / 125 && factor <= 1 / 80);
}

/**
 * Builds the price row. Funds and bonds have only a price. The day change is computed from the two prices, so that all
 * three agree.
 */
function toPriceRow(
  quote: Quote,
  stored: StoredPrice,
  { source, unit, knownMarketCap }: { source: string; unit: string | null; knownMarketCap: number | null },
): PriceRow {
  const day = stored.asset_type === 'stock' || stored.asset_type === 'etf' ? quote : EMPTY_DAY_FIGURES;
  const prevClose = toPriceOrNull(day.prevClose);
  const dayLow = toPriceOrNull(day.dayLow);
  const dayHigh = toPriceOrNull(day.dayHigh);
  const marketCap = stored.asset_type === 'stock' ? toCountOrNull(quote.marketCap) : null;
  return {
    symbol: stored.symbol,
    currency: stored.currency,
    declared_unit: stored.declared_unit,
    current_price: quote.price,
    change_amount: prevClose === null ? null : roundPrice(quote.price - prevClose),
    change_1d: prevClose === null ? null : roundPrice((quote.price / prevClose - 1) * 100),
    prev_close: prevClose,
    open: toPriceOrNull(day.open),
    // A feed may update its price before the day's range.
    day_low: dayLow === null ? null : Math.min(dayLow, quote.price),
    day_high: dayHigh === null ? null : Math.max(dayHigh, quote.price),
    volume: toCountOrNull(day.volume),
    market_cap: chooseMarketCap(marketCap, unit, knownMarketCap),
    price_at: new Date(quote.asOf).toISOString(),
    delayed_minutes: Math.max(0, Math.round(quote.delayedMinutes)),
    source,
  };
}

/** Removes the last digits of binary arithmetic, and minus zero. */
const roundPrice = (value: number): number => Number(value.toPrecision(12)) + 0;
