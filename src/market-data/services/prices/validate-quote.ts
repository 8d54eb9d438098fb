import { chooseMarketCap, parseCurrency, convertQuote } from '../../domain/currency-units.ts';
import { EMPTY_DAY_FIGURES, type Quote } from '../../domain/market-data-provider.ts';
import { toCountOrNull, isPrice, toPriceOrNull } from '../../domain/plausible-figures.ts';
import { getDeclaredUnit } from './declared-units.ts';
import { findPreviousClose, detectSplit, type SplitCheck } from './detect-split.ts';
import type { StoredPrice, PriceRow } from './price-queries.ts';

export type QuoteDecision =
  | ({ verdict: 'take'; price: PriceRow } & SplitCheck)
  | { verdict: 'quarantine'; reason: string; /** New over old price. */ factor: number }
  | { verdict: 'refuse'; reason: string };

/** Clocks differ; a quote from further ahead would stand above every later price. */
const MAX_CLOCK_SKEW_MS = 15 * 60_000;

/** Takes a quote, refuses one that cannot be right, or quarantines one that jumps as a change of unit does. */
export function validateQuote(quote: Quote, stored: StoredPrice, source: string, now: Date): QuoteDecision {
  // Sample prices and real ones say nothing of each other.
  const isComparable = (stored.source === 'simulator') === (source === 'simulator');
  const previous = isComparable ? (stored.current_price ?? stored.last_close) : null;

  const declared = checkCurrency(quote, stored, source, isPrice(previous));
  if ('reason' in declared) return { verdict: 'refuse', reason: declared.reason };
  const { unit } = declared;
  const converted = convertQuote(quote, unit);
  const rejectionReason = checkPlausibility(converted, now);
  if (rejectionReason !== undefined) return { verdict: 'refuse', reason: rejectionReason };

  const factor = isPrice(previous) ? converted.price / previous : 1;
  if (isLikelyUnitFlip(factor)) {
    const reason = `the price went from ${previous} to ${converted.price}, which looks like a change of unit`;
    return { verdict: 'quarantine', reason, factor };
  }

  const price = toPriceRow(converted, stored, {
    source,
    unit,
    knownMarketCap: isComparable ? stored.market_cap : null,
  });
  const previousClose = stored.source === source ? findPreviousClose(stored, new Date(price.price_at)) : undefined;
  return { verdict: 'take', price, ...detectSplit(price.current_price, price.prev_close, previousClose) };
}

/** The unit of a quote: its own declaration, else what the provider has declared for the listing. */
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
  // With a previous price to compare it with, a quote of the wrong unit is quarantined.
  return hasPrevious ? { unit: null } : { reason: `${source} has not said in which unit it quotes` };
}

/** What is wrong with price or time; `undefined` for nothing. */
function checkPlausibility({ price, asOf }: Quote, now: Date): string | undefined {
  if (!isPrice(price)) return 'no price';
  const time = Date.parse(asOf);
  if (Number.isNaN(time)) return 'no time';
  return time > now.getTime() + MAX_CLOCK_SKEW_MS ? 'a time ahead of ours' : undefined;
}

/** Up or down by 80 to 125: providers switch between pounds and pence from one day to the next. */
export function isLikelyUnitFlip(factor: number): boolean {
  return (factor >= 80 && factor <= 125) || (factor >= 1 / 125 && factor <= 1 / 80);
}

/** Funds and bonds have a price alone; the day's change comes of the two prices, so that the three always agree. */
function toPriceRow(
  quote: Quote,
  stored: StoredPrice,
  { source, unit, knownMarketCap }: { source: string; unit: string | null; knownMarketCap: number | null },
): PriceRow {
  const day = stored.asset_type === 'stock' || stored.asset_type === 'etf' ? quote : EMPTY_DAY_FIGURES;
  const prevClose = toPriceOrNull(day.prevClose);
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
    day_low: toPriceOrNull(day.dayLow),
    day_high: toPriceOrNull(day.dayHigh),
    volume: toCountOrNull(day.volume),
    market_cap: chooseMarketCap(marketCap, unit, knownMarketCap),
    price_at: new Date(quote.asOf).toISOString(),
    delayed_minutes: Math.max(0, Math.round(quote.delayedMinutes)),
    source,
  };
}

/** Without the last digits of binary arithmetic, and without minus zero. */
const roundPrice = (value: number): number => Number(value.toPrecision(12)) + 0;
