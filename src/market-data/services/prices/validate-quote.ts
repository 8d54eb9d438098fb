import { unitOf } from './declared-units.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import { chooseMarketCap, readCurrency, toCurrency } from '../../domain/currency-units.ts';
import { noDay, type Quote } from '../../domain/market-data-provider.ts';
import type { KnownPrice, PriceRow } from './price-queries.ts';
import { countOrNull, isPrice, priceOrNull } from '../../domain/sane-figures.ts';

export type Judgement =
  | {
      verdict: 'take';
      price: PriceRow;
      history: HistoryFit;
      /** What a split would change; none where the history fits. */ scale?: NewScale | undefined;
    }
  | { verdict: 'quarantine'; reason: string; /** New over old price. */ factor: number }
  | { verdict: 'refuse'; reason: string };

/** Whether the history fits the price. `split`: a split was adjusted for; `doubtful`: that or a wild day. */
type HistoryFit = 'fits' | 'doubtful' | 'split';

/** The last day of the old scale with its stored close; `close`: on the new scale, `null` where the split tells. */
export interface NewScale {
  day: string;
  stored: number;
  close: number | null;
}

const withoutMinusZero = (value: number): number => (value === 0 ? 0 : value);
const tidy = (value: number): number => withoutMinusZero(Number(value.toPrecision(12)));

/** Clocks differ; more than this is a fault. */
const AHEAD_MS = 15 * 60_000;

/**
 * Whether a quote is taken, and as what. Stocks and ETFs get their day's change, computed from the two prices so that
 * the three always agree; funds and bonds get the price alone. A jump by about a hundred looks like pounds for pence
 * and is quarantined, whichever provider the known price is from; only a sample says nothing of a real one. Prices are
 * scaled by the quote's own currency, or by the unit that the same provider declares.
 */
export function judgeQuote(quote: Quote, known: KnownPrice, source: string, now: Date): Judgement {
  const declared =
    quote.currency === null ? { currency: known.currency, unit: unitOf(known, source) } : readCurrency(quote.currency);
  if (known.currency !== null && declared.currency !== null && declared.currency !== known.currency) {
    return { verdict: 'refuse', reason: `quoted in ${declared.currency}, listed in ${known.currency}` };
  }
  const sampled = (known.source === 'simulator') !== (source === 'simulator');
  const before = sampled ? null : (known.current_price ?? known.last_close);
  // With a price to compare it with, a quote of the wrong unit is quarantined below.
  if (declared.unit === undefined && !isPrice(before))
    return { verdict: 'refuse', reason: `${source} has not said in which unit it quotes` };
  const unit = declared.unit ?? null;
  const scaled = toCurrency(quote, unit);
  if (!isPrice(scaled.price)) return { verdict: 'refuse', reason: 'no price' };
  const time = Date.parse(scaled.asOf);
  if (Number.isNaN(time)) return { verdict: 'refuse', reason: 'no time' };
  // It would stand above every later price.
  if (time > now.getTime() + AHEAD_MS) return { verdict: 'refuse', reason: 'a time ahead of ours' };

  const factor = isPrice(before) ? scaled.price / before : 1;
  if (looksLikeUnitFlip(factor)) {
    return {
      verdict: 'quarantine',
      reason: `the price went from ${before} to ${scaled.price}, which looks like a change of unit`,
      factor,
    };
  }
  const day = known.asset_type === 'stock' || known.asset_type === 'etf' ? scaled : noDay;
  const prevClose = priceOrNull(day.prevClose);
  return {
    verdict: 'take',
    ...judgeHistory(scaled.price, prevClose, known.source === source ? closeBefore(known, new Date(time)) : undefined),
    price: {
      symbol: known.symbol,
      currency: known.currency,
      declared_unit: known.declared_unit,
      current_price: scaled.price,
      change_amount: prevClose === null ? null : tidy(scaled.price - prevClose),
      change_1d: prevClose === null ? null : tidy((scaled.price / prevClose - 1) * 100),
      prev_close: prevClose,
      open: priceOrNull(day.open),
      day_low: priceOrNull(day.dayLow),
      day_high: priceOrNull(day.dayHigh),
      volume: countOrNull(day.volume),
      market_cap:
        known.asset_type === 'stock'
          ? chooseMarketCap(countOrNull(scaled.marketCap), unit, sampled ? null : known.market_cap)
          : null,
      price_at: new Date(time).toISOString(),
      delayed_minutes: Math.max(0, Math.round(scaled.delayedMinutes)),
      source,
    },
  };
}

/** Up or down by 80 to 125: providers switch between pounds and pence from one day to the next. */
export function looksLikeUnitFlip(factor: number): boolean {
  return (factor >= 80 && factor <= 125) || (factor >= 1 / 125 && factor <= 1 / 80);
}

/** The stored close that a quote's previous close should be: the last before its day, which may have one already. */
function closeBefore(
  { closes, new_york_days: newYorkDays }: KnownPrice,
  time: Date,
): [date: string, close: number] | undefined {
  const day = newYorkDays ? marketCalendar.newYorkDate(time) : time.toISOString().slice(0, 10);
  return closes.findLast((stored) => stored !== null && stored[0] < day && isPrice(stored[1])) ?? undefined;
}

/**
 * A previous close that is adjusted for a split shows in a history that is not; one that is not adjusted itself shows
 * in the price. Beside a history that fits the price such a previous close says nothing.
 */
function judgeHistory(
  price: number,
  prevClose: number | null,
  before: [date: string, close: number] | undefined,
): { history: HistoryFit; scale?: NewScale } {
  if (!before || prevClose === null) return { history: 'fits' };
  const [day, stored] = before;
  const fit = fitOf(prevClose / stored);
  const moved = fitOf(price / prevClose);
  if (fit === 'fits')
    return moved === 'fits' ? { history: 'fits' } : { history: 'doubtful', scale: { day, stored, close: null } };
  return moved !== 'fits' && fitOf(price / stored) === 'fits'
    ? { history: 'fits' }
    : { history: fit, scale: { day, stored, close: prevClose } };
}

/** More than a listing moves on most days. */
export const WILD_DAY = 1.15;

/** Compares two prices: further apart than a day explains means adjusted; 5:4 and 4:3 splits are like a wild day. */
function fitOf(ratio: number): HistoryFit {
  const apart = Math.max(ratio, 1 / ratio);
  return apart > 1.4 ? 'split' : apart > WILD_DAY ? 'doubtful' : 'fits';
}
