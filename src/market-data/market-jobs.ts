import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Schedule, Task, TaskName, Tasks } from '../platform/jobs/task.ts';
import { backfillHistory, type BackfillOutcome } from './services/history/backfill-history.ts';
import { purgeCallCounts } from './providers/quota/quota-queries.ts';
import { purgeExpiredNews } from './services/news/news-queries.ts';
import { getLastDayClosedEverywhere } from './services/shared/exchange-days.ts';
import { batchCalls } from './batch-calls.ts';
import { findHistoriesToBackfill, findMissingData } from './services/history/backfill-queries.ts';
import { writeDailyCloses } from './services/history/write-daily-closes.ts';
import { marketCalendar } from './domain/market-calendar.ts';
import { POST_CLOSE_MS } from './providers/quota/quote-pacing.ts';
import { listStoredPrices, listPricesToRefresh } from './services/prices/price-queries.ts';
import { type RefreshOptions, refreshPrices, type RefreshResult } from './services/prices/refresh-prices.ts';
import type { EvaluatePrices } from './services/prices/written-prices.ts';
import type { MarketContext } from './services/shared/market-context.ts';

/** `since` is the start of the first round. `always` also refreshes outside the session. */
interface RefreshPayload {
  always?: boolean;
  round?: number;
  since?: string;
  fundsFirst?: boolean;
}

interface BackfillPayload {
  symbol: string;
  again?: boolean;
  tries?: number;
}

export const REFRESH = 'market-refresh' as TaskName<RefreshPayload>;
/** Refreshes run sequentially. During a provider outage each would otherwise occupy a worker slot. */
export const REFRESH_QUEUE = 'market-refresh';
const BACKFILL = 'market-backfill' as TaskName<BackfillPayload>;
const REFRESH_ONE = 'market-refresh-symbol' as TaskName<{ symbol: string }>;
const EVENING_REFRESH = 'market-refresh-evening';
const WRITE_CLOSES = 'market-write-closes';
const CLEANUP = 'market-cleanup';

/** Minimum number of candles of a complete year (a full year has 250 to 253). */
const MIN_CANDLES = 245;
/** Maximum number of unused listings that the simulator keeps current, because its calls are free. */
const MAX_EXTRA_LISTINGS = 1_000;
/** Age in ms above which a price was not in use: longer than a long weekend. */
const STALE_PRICE_MS = 5 * 24 * 3_600_000;
/** Market days searched for gaps. If the provider still lacks a day, the history is refetched after 20 hours. */
const GAP_SEARCH_DAYS = 5;
/** Market days within which a provider adjusts its candles for a split, if it adjusts them. */
const SPLIT_WAIT_DAYS = 5;
/** Rounds of one minute each in which a refresh continues if the quota of a minute is too small. */
const MAX_ROUNDS = 12;

/** Attempts for the first price of a listing, over about half an hour. */
const MAX_PRICE_ATTEMPTS = 8;
/** Attempts for a history that no provider returned, with doubled intervals over about half a day. */
const MAX_BACKFILL_ATTEMPTS = 10;
const MAX_BACKOFF_SECONDS = 4 * 3_600;

/** Window in ms in which requests for history are collected into one batch. */
const BATCH_WINDOW_MS = 50;

export interface MarketJobsDependencies extends MarketContext {
  jobs: Pick<Jobs, 'add' | 'addAll'>;
  popular: readonly string[];
  evaluatePrices?: EvaluatePrices | undefined;
}

/** Cron lines are in UTC and cover summer and winter time. The tasks check the calendar. */
export const marketSchedules: readonly Schedule[] = [
  { task: REFRESH, match: '*/15 13-22 * * 1-5', payload: {}, queue: REFRESH_QUEUE },
  // Funds publish their price in the evening, after the stock market has closed.
  { task: EVENING_REFRESH, match: '45 0 * * 2-6', payload: { always: true }, queue: REFRESH_QUEUE },
  { task: WRITE_CLOSES, match: '40 17-22 * * 1-5', backfillMinutes: 720 },
  { task: CLEANUP, match: '20 7 * * *' },
];

/**
 * Returns the job for the year of a listing, deduplicated by key. `force` requests a fresh copy under a separate key.
 */
export const backfillJob = (symbol: string, force = false) => ({
  task: BACKFILL,
  payload: { symbol, ...(force && { again: force }) },
  key: `market-${force ? 'refetch' : 'backfill'}:${symbol}`,
});

export function createMarketJobs(deps: MarketJobsDependencies) {
  const { sql, jobs, now } = deps;

  // Symbols are added in bursts, so the missing data of a burst is requested in one batch.
  const requestBackfill = batchCalls(BATCH_WINDOW_MS, async (symbols) => {
    const until = marketCalendar.addMarketDays(marketCalendar.getLastClosedDay(now()), -1);
    const incomplete = await findMissingData(sql, symbols, {
      minCandles: MIN_CANDLES,
      closesUntil: until,
      pricedSince: new Date(now().getTime() - STALE_PRICE_MS),
    });
    const requests = incomplete.flatMap(({ symbol, incomplete: lacksHistory, outdated }) => [
      ...(outdated
        ? [{ task: REFRESH_ONE, payload: { symbol }, key: `market-refresh:${symbol}`, maxAttempts: MAX_PRICE_ATTEMPTS }]
        : []),
      ...(lacksHistory ? [backfillJob(symbol)] : []),
    ]);
    await jobs.addAll(requests);
  });
  const refetchHistory = (symbol: string): Promise<void> => jobs.addAll([backfillJob(symbol, true)]);
  const replaceSamples = (symbols: readonly string[]): Promise<void> =>
    jobs.addAll([...symbols].sort().map((symbol) => backfillJob(symbol)));
  const refreshDeps = { ...deps, refetchHistory, replaceSamples };

  const refresh: Task<RefreshPayload> = async (
    { always = false, round = 1, since, fundsFirst = false },
    { signal },
  ) => {
    if (!always && !isFeedTime(now())) return;
    const startedAt = new Date().toISOString();
    const listings = await listPricesToRefresh(sql, deps.popular, {
      maxExtraListings: deps.simulated ? MAX_EXTRA_LISTINGS : 0,
      fundsFirst,
      since,
    });
    const result = await refreshPrices(refreshDeps, listings, { signal });
    deps.logger.info({ ...result }, 'prices refreshed');
    // During market hours the next refresh retries unanswered listings. In the evening no refresh follows soon, so this
    // job retries them.
    const remaining = result.notRequested + (always ? result.noResponse : 0);
    if (remaining === 0 || round >= MAX_ROUNDS) return;
    const nextRound = { always, round: round + 1, since: since ?? startedAt, fundsFirst };
    const runAt = new Date(Date.now() + 60_000);
    await jobs.add(REFRESH, nextRound, { key: 'market-refresh-rest', queue: REFRESH_QUEUE, runAt });
  };
  const backfill: Task<BackfillPayload> = async ({ symbol, again: force = false, tries = 0 }, { signal }) => {
    const outcome = await backfillHistory(deps, symbol, force, signal);
    const secondsUntilDailyQuota =
      outcome.outcome === 'retry_later' && outcome.why === 'busy'
        ? await deps.providers.secondsUntilDailyQuota('candles', 'backfill')
        : undefined;
    // Random delay within 15 minutes, so that histories are not all fetched together.
    const retry =
      secondsUntilDailyQuota === undefined
        ? computeRetry(outcome, force, tries)
        : { seconds: Math.ceil(secondsUntilDailyQuota + 60 + Math.random() * 14 * 60), tries };
    if (!retry) return;
    if (retry.tries >= MAX_BACKFILL_ATTEMPTS)
      return deps.logger.warn(
        { symbol, again: force },
        'failed to backfill a history; no further attempt until the next request',
      );
    const runAt = new Date(Date.now() + retry.seconds * 1_000);
    // A request for missing data must not replace one for a fresh copy.
    const key = `market-${force ? 'refetch' : 'backfill'}-later:${symbol}`;
    await jobs.add(BACKFILL, { symbol, again: force, tries: retry.tries }, { key, runAt });
  };

  /**
   * Enqueues backfills of histories without closes, with a gap before the day (a new close would hide it) or with an
   * unadjusted split.
   */
  const repairHistories = async (day: string): Promise<void> => {
    const splitsFrom = marketCalendar.addMarketDays(marketCalendar.getLastClosedDay(now()), -SPLIT_WAIT_DAYS);
    const closeDays = Array.from({ length: GAP_SEARCH_DAYS }, (_, index) =>
      marketCalendar.addMarketDays(day, index + 1 - GAP_SEARCH_DAYS),
    );
    const due = await findHistoriesToBackfill(sql, deps.popular, {
      closeDays,
      historyUntil: getLastDayClosedEverywhere(now()),
      splitsFrom,
    });
    await jobs.addAll(due.map(({ symbol, force }) => backfillJob(symbol, force)));
  };
  const writeCloses = async (): Promise<void> => {
    await repairHistories(marketCalendar.addMarketDays(marketCalendar.getLastClosedDay(now()), -1));
    await writeDailyCloses(sql, now());
  };

  /**
   * Refreshes prices by symbol, such as the first of a new listing. Uses the 'listing' quota, because that of quotes
   * may be exhausted.
   */
  const refreshNamed = async (symbols: readonly string[], options: RefreshOptions): Promise<RefreshResult> =>
    refreshPrices(refreshDeps, await listStoredPrices(sql, symbols), { ...options, priority: 'listing' });
  const refreshOne: Task<{ symbol: string }> = async ({ symbol }, { signal }) => {
    const { notRequested, noResponse } = await refreshNamed([symbol], { signal });
    // The error triggers another attempt of the job.
    if (notRequested + noResponse > 0)
      throw new Error(`Failed to fetch the price of ${symbol}: no provider responded.`);
  };

  const tasks: Tasks = {
    [REFRESH]: refresh,
    [EVENING_REFRESH]: ((payload, helpers) =>
      refresh({ ...payload, fundsFirst: true }, helpers)) satisfies Task<RefreshPayload>,
    [REFRESH_ONE]: refreshOne,
    [BACKFILL]: backfill,
    [WRITE_CLOSES]: writeCloses,
    [CLEANUP]: async () => {
      await purgeCallCounts(sql);
      await purgeExpiredNews(sql);
    },
  };
  return {
    tasks,
    requestBackfill,
    repairHistories,
    /** Refreshes prices immediately: of these symbols, or of all in use. */
    refreshNow: async (symbols: readonly string[] | 'in use', options: RefreshOptions = {}): Promise<RefreshResult> =>
      symbols === 'in use'
        ? refreshPrices(refreshDeps, await listPricesToRefresh(sql, deps.popular, { maxExtraListings: 0 }), options)
        : refreshNamed(symbols, options),
    backfillNow: (symbol: string, force: boolean): Promise<BackfillOutcome> => backfillHistory(deps, symbol, force),
  };
}

/**
 * Returns the wait before the next attempt and the number of attempts. A fresh copy is retried even after a useless
 * answer.
 */
function computeRetry(
  outcome: BackfillOutcome,
  force: boolean,
  tries: number,
): { seconds: number; tries: number } | undefined {
  if (outcome.outcome === 'retry_later' && outcome.why === 'busy') return { seconds: outcome.seconds, tries };
  const isUseless = force && (outcome.outcome === 'recently_fetched' || outcome.outcome === 'implausible');
  if (outcome.outcome !== 'retry_later' && !isUseless) return undefined;
  const minSeconds = outcome.outcome === 'retry_later' ? outcome.seconds : 120;
  return { seconds: Math.max(minSeconds, Math.min(60 * 2 ** tries, MAX_BACKOFF_SECONDS)), tries: tries + 1 };
}

/**
 * Returns whether the feed is active: regular hours and the minutes after the close, when the last prices are
 * published.
 */
export function isFeedTime(instant: Date): boolean {
  const hours = marketCalendar.getTradingHours(marketCalendar.toNewYorkDate(instant));
  return hours !== undefined && instant >= hours.open && instant.getTime() < hours.close.getTime() + POST_CLOSE_MS;
}
