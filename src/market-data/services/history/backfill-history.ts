import { addDays, isCalendarDay } from '../../domain/dates.ts';
import { type BackfillTarget, claimBackfill, finishBackfill, releaseBackfill } from './backfill-queries.ts';
import { countCandles, writeHistory } from './history-queries.ts';
import { fetchUnit, getDeclaredUnit } from '../prices/declared-units.ts';
import { getLastDayClosedEverywhere } from '../shared/exchange-days.ts';
import { isLikelyUnitFlip } from '../prices/validate-quote.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import { convertCandle } from '../../domain/currency-units.ts';
import type { Candle, DateRange, ProviderError } from '../../domain/market-data-provider.ts';
import { deleteSampleData } from '../prices/price-queries.ts';
import type { MarketContext } from '../shared/market-context.ts';
import { toCountOrNull, isPrice, toPriceOrNull } from '../../domain/plausible-figures.ts';

/**
 * Outcome of a backfill. `retry_later` means that nothing was fetched, with the seconds until a retry. `busy`: calls are
 * limited (quota or rate), or another process holds the claim. `unavailable`: the provider failed, perhaps for long. `no_provider`:
 * no provider has candles. `implausible`: the candles were not stored.
 */
export type BackfillOutcome =
  | { outcome: 'stored'; candles: number }
  | { outcome: 'no_provider' | 'recently_fetched' | 'implausible' }
  | { outcome: 'retry_later'; why: 'busy' | 'unavailable'; seconds: number };

const CALL_TIMEOUT_MS = 20_000;
/** Seconds after which the claim of a dead process expires. */
const CLAIM_RETRY_SECONDS = 120;
/**
 * Retry interval in seconds after a missing entitlement. Plans change rarely, and the error may concern one symbol
 * only.
 */
const ENTITLEMENT_RETRY_SECONDS = 3_600;

/** Returns the year that ends with the last closed day: that of New York, or the last one that has ended everywhere. */
export function getCandleYear(now: Date, newYorkDays = true): DateRange {
  const to = newYorkDays ? marketCalendar.getLastClosedDay(now) : getLastDayClosedEverywhere(now);
  return { from: addDays(to, -365), to };
}

/**
 * Fetches and stores the year of one symbol, unless it was fetched recently or is claimed. `force` replaces the old
 * history.
 */
export async function backfillHistory(
  context: MarketContext,
  symbol: string,
  force: boolean,
  signal?: AbortSignal,
): Promise<BackfillOutcome> {
  const { sql } = context;
  // A sample history is no complete year and must not receive real days.
  if (!context.simulated) await deleteSampleData(sql, symbol);
  const claim = await claimBackfill(sql, symbol, force);
  if (claim.status === 'claimed-by-other') return { outcome: 'retry_later', why: 'busy', seconds: CLAIM_RETRY_SECONDS };
  if (claim.status === 'not-due') return { outcome: 'recently_fetched' };
  const { target } = claim;
  const callSignal = AbortSignal.any([AbortSignal.timeout(CALL_TIMEOUT_MS), ...(signal ? [signal] : [])]);
  try {
    const outcome = await fetchYear(context, target, force, callSignal);
    switch (outcome.outcome) {
      case 'claim-lost':
        // Do not release or finish the claim: its new owner continues.
        return { outcome: 'retry_later', why: 'busy', seconds: 60 };
      case 'retry_later':
        await releaseBackfill(sql, target.ticker_id);
        return outcome;
      default:
        await finishBackfill(sql, target.ticker_id);
        return outcome;
    }
  } catch (error) {
    await releaseBackfill(sql, target.ticker_id).catch(() => {});
    throw error;
  }
}

async function fetchYear(
  context: MarketContext,
  target: BackfillTarget,
  force: boolean,
  callSignal: AbortSignal,
): Promise<BackfillOutcome | { outcome: 'claim-lost' }> {
  const { sql, providers, logger, now } = context;
  const { symbol, current_price: price } = target;
  const range = getCandleYear(now(), target.new_york_days);
  const answer = await providers.call('candles', (provider) => provider.dailyCandles(symbol, range, callSignal));
  if (!answer.ok) return toBackfillOutcome(answer);
  const source = answer.from;
  if (source === 'simulator' && target.source !== 'simulator') return { outcome: 'no_provider' };
  const declared = getDeclaredUnit(target, source);
  const unit = declared === undefined ? await fetchUnit(context, target, source, callSignal) : declared;
  if (unit === undefined) return { outcome: 'retry_later', why: 'unavailable', seconds: 60 };
  const candles = normalizeCandles(answer.value, range).map((candle) => convertCandle(candle, unit));
  const isComparable = (target.source === 'simulator') === (source === 'simulator') && !force && price !== null;
  if (hasUnitFlip([...candles.map(({ close }) => close), ...(isComparable ? [price] : [])])) {
    logger.warn(
      { symbol, provider: source },
      'candles not stored: prices jump by a factor of about 100, which suggests a change of unit',
    );
    return { outcome: 'implausible' };
  }
  if (force && candles.length < (await countCandles(sql, target.ticker_id, range)) / 2) {
    logger.warn(
      { symbol, provider: source, candles: candles.length },
      'candles not stored: far fewer than the stored ones',
    );
    return { outcome: 'implausible' };
  }
  // The currency changed during the fetch and deleted the claim. The new owner continues.
  if (!(await writeHistory(sql, target, candles, force && candles.length > 0))) return { outcome: 'claim-lost' };
  return { outcome: 'stored', candles: candles.length };
}

/**
 * Maps a provider error to an outcome. If no provider has candles, the claim counts as done, and the next fetch is
 * after 20 hours.
 */
function toBackfillOutcome(providerError: ProviderError): BackfillOutcome {
  const { reason } = providerError;
  if (reason === 'unknown' || reason === 'unsupported') return { outcome: 'no_provider' };
  if (reason === 'not_entitled')
    return { outcome: 'retry_later', why: 'unavailable', seconds: ENTITLEMENT_RETRY_SECONDS };
  if (reason === 'upstream') return { outcome: 'retry_later', why: 'unavailable', seconds: 60 };
  return {
    outcome: 'retry_later',
    why: 'busy',
    seconds: reason === 'rate_limited' ? (providerError.retryAfter ?? 60) : 60,
  };
}

/**
 * Returns valid candles ascending, one per existing day of the range, each with a plausible close. Days on which New
 * York is closed stay, because other exchanges trade then.
 */
export function normalizeCandles(candles: readonly Candle[], { from, to }: DateRange): Candle[] {
  const byDate = new Map<string, Candle>();
  for (const { date, close, open, high, low, volume } of candles) {
    if (!isPrice(close) || date < from || date > to || !isCalendarDay(date)) continue;
    byDate.set(date, {
      date,
      close,
      open: toPriceOrNull(open),
      high: toPriceOrNull(high),
      low: toPriceOrNull(low),
      volume: toCountOrNull(volume),
    });
  }
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

function hasUnitFlip(prices: readonly number[]): boolean {
  return prices.some((price, index) => index > 0 && isLikelyUnitFlip(price / prices[index - 1]!));
}
