import { chooseMarketCap, readCurrency, toCurrency } from '../../domain/currency-units.ts';
import { noDay, type Quote } from '../../domain/market-data-provider.ts';
import { countOrNull, isPrice, priceOrNull } from '../../domain/sane-figures.ts';
import { unitOf } from './declared-units.ts';
import { closeBefore, detectSplit, type SplitCheck } from './detect-split.ts';
import type { KnownPrice, PriceRow } from './price-queries.ts';

export type QuoteDecision =
  | ({ verdict: 'take'; price: PriceRow } & SplitCheck)
  | { verdict: 'quarantine'; reason: string; /** New over old price. */ factor: number }
  | { verdict: 'refuse'; reason: string };

/** Clocks differ; a quote from further ahead would stand above every later price. */
const MAX_CLOCK_SKEW_MS = 15 * 60_000;

/** Takes a quote, refuses one that cannot be right, or quarantines one that jumps as a change of unit does. */
export function validateQuote(quote: Quote, known: KnownPrice, source: string, now: Date): QuoteDecision {
  // Sample prices and real ones say nothing of each other.
  const isComparable = (known.source === 'simulator') === (source === 'simulator');
  const previous = isComparable ? (known.current_price ?? known.last_close) : null;

  const declared = checkCurrency(quote, known, source, isPrice(previous));
  if ('reason' in declared) return { verdict: 'refuse', reason: declared.reason };
  const { unit } = declared;
  const scaled = toCurrency(quote, unit);
  const problem = checkPlausibility(scaled, now);
  if (problem !== undefined) return { verdict: 'refuse', reason: problem };

  const factor = isPrice(previous) ? scaled.price / previous : 1;
  if (looksLikeUnitFlip(factor)) {
    const reason = `the price went from ${previous} to ${scaled.price}, which looks like a change of unit`;
    return { verdict: 'quarantine', reason, factor };
  }

  const price = toPriceRow(scaled, known, { source, unit, knownMarketCap: isComparable ? known.market_cap : null });
  const before = known.source === source ? closeBefore(known, new Date(price.price_at)) : undefined;
  return { verdict: 'take', price, ...detectSplit(price.current_price, price.prev_close, before) };
}

/** The unit of a quote: its own declaration, else what the provider has declared for the listing. */
function checkCurrency(
  quote: Quote,
  known: KnownPrice,
  source: string,
  hasPrevious: boolean,
): { unit: string | null } | { reason: string } {
  const declared =
    quote.currency === null ? { currency: known.currency, unit: unitOf(known, source) } : readCurrency(quote.currency);
  if (known.currency !== null && declared.currency !== null && declared.currency !== known.currency)
    return { reason: `quoted in ${declared.currency}, listed in ${known.currency}` };
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
export function looksLikeUnitFlip(factor: number): boolean {
  return (factor >= 80 && factor <= 125) || (factor >= 1 / 125 && factor <= 1 / 80);
}

/** Funds and bonds have a price alone; the day's change comes of the two prices, so that the three always agree. */
function toPriceRow(
  quote: Quote,
  known: KnownPrice,
  { source, unit, knownMarketCap }: { source: string; unit: string | null; knownMarketCap: number | null },
): PriceRow {
  const day = known.asset_type === 'stock' || known.asset_type === 'etf' ? quote : noDay;
  const prevClose = priceOrNull(day.prevClose);
  const marketCap = known.asset_type === 'stock' ? countOrNull(quote.marketCap) : null;
  return {
    symbol: known.symbol,
    currency: known.currency,
    declared_unit: known.declared_unit,
    current_price: quote.price,
    change_amount: prevClose === null ? null : roundFigure(quote.price - prevClose),
    change_1d: prevClose === null ? null : roundFigure((quote.price / prevClose - 1) * 100),
    prev_close: prevClose,
    open: priceOrNull(day.open),
    day_low: priceOrNull(day.dayLow),
    day_high: priceOrNull(day.dayHigh),
    volume: countOrNull(day.volume),
    market_cap: chooseMarketCap(marketCap, unit, knownMarketCap),
    price_at: new Date(quote.asOf).toISOString(),
    delayed_minutes: Math.max(0, Math.round(quote.delayedMinutes)),
    source,
  };
}

/** Without the last digits of binary arithmetic, and without minus zero. */
const roundFigure = (value: number): number => Number(value.toPrecision(12)) + 0;
