import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Schedule, Task, TaskName, Tasks } from '../platform/jobs/task.ts';
import { backfillHistory, type BackfillOutcome } from './services/history/backfill-history.ts';
import { purgeCallFigures } from './providers/quota/quota-queries.ts';
import { purgeNews } from './services/news/news-queries.ts';
import { lastDayEverywhere } from './services/shared/exchange-days.ts';
import { batchCalls } from './batch-calls.ts';
import { findHistoriesToBackfill, findMissingData } from './services/history/backfill-queries.ts';
import { writeDailyCloses } from './services/history/write-daily-closes.ts';
import { marketCalendar } from './domain/market-calendar.ts';
import { SETTLING_MS } from './providers/quota/pace-quotes.ts';
import { knownPrices, pricesToRefresh } from './services/prices/price-queries.ts';
import { type RefreshOptions, refreshPrices, type RefreshResult } from './services/prices/refresh-prices.ts';
import type { MarketContext } from './services/shared/market-context.ts';

/** `since`: when the first round began; `always`: outside the session too. */
interface RefreshRound {
  always?: boolean;
  round?: number;
  since?: string;
  fundsFirst?: boolean;
}

interface Backfill {
  symbol: string;
  again?: boolean;
  tries?: number;
}

export const REFRESH = 'market-refresh' as TaskName<RefreshRound>;
/** Refreshes run one after another: while a provider hangs, each would hold one of the worker's places. */
export const REFRESH_QUEUE = 'market-refresh';
const BACKFILL = 'market-backfill' as TaskName<Backfill>;
const REFRESH_ONE = 'market-refresh-symbol' as TaskName<{ symbol: string }>;
const EVENING = 'market-refresh-evening';
const ROLL_CLOSES = 'market-roll-closes';
const TIDY = 'market-tidy';

/** Fewer candles than this in the last year are a thin history (a full year has 250 or 251). */
const ENOUGH_CANDLES = 245;
/** Listings beyond those in use that the simulator, whose calls cost nothing, keeps current. */
const SPARE = 1_000;
/** A price that is older than a long weekend belongs to a listing that was not in use. */
const STALE_MS = 5 * 24 * 3_600_000;
/** Market days searched for holes: a history fetched too early for a day is not fetched again for 20 hours. */
const HOLE_DAYS = 5;
/** Market days in which a provider has adjusted its candles for a split, if it ever does. */
const SPLIT_DAYS = 5;
/** Minutes in which a refresh goes on where a minute's budget does not reach for all. */
const MOST_ROUNDS = 12;

/** Tries for one listing's first price: over about half an hour. */
const PRICE_TRIES = 8;
/** Tries for one history that no provider could give, at doubling intervals: over about half a day. */
const MOST_TRIES = 10;
const LONGEST_WAIT_SECONDS = 4 * 3_600;

/** Milliseconds for which a request for history waits for others of its batch. */
const BATCH_MS = 50;

export interface MarketJobsDependencies extends MarketContext {
  jobs: Pick<Jobs, 'add' | 'addAll'>;
  popular: readonly string[];
}

/** Cron lines are UTC and wide enough for summer and winter; the tasks consult the calendar. */
export const marketSchedules: readonly Schedule[] = [
  { task: REFRESH, match: '*/15 13-22 * * 1-5', payload: {}, queue: REFRESH_QUEUE },
  // Funds publish their price in the evening, after the stock market's close.
  { task: EVENING, match: '45 0 * * 2-6', payload: { always: true }, queue: REFRESH_QUEUE },
  { task: ROLL_CLOSES, match: '40 17-22 * * 1-5', backfillMinutes: 720 },
  { task: TIDY, match: '20 7 * * *' },
];

/** The job request for a listing's year, deduplicated by key; `again` asks for a fresh copy, under its own key. */
export const backfillJob = (symbol: string, again = false) => ({
  task: BACKFILL,
  payload: { symbol, ...(again && { again }) },
  key: `market-${again ? 'refetch' : 'backfill'}:${symbol}`,
});

export function createMarketJobs(deps: MarketJobsDependencies) {
  const { sql, jobs, now } = deps;

  // Symbols are added in bursts, so what a burst lacks is requested in one batch.
  const requestBackfill = batchCalls(BATCH_MS, async (symbols) => {
    const until = marketCalendar.addMarketDays(marketCalendar.lastClosedDay(now()), -1);
    const lacking = await findMissingData(sql, symbols, {
      candles: ENOUGH_CANDLES,
      until,
      pricedSince: new Date(now().getTime() - STALE_MS),
    });
    const requests = lacking.flatMap(({ symbol, thin, stale }) => [
      ...(stale
        ? [{ task: REFRESH_ONE, payload: { symbol }, key: `market-refresh:${symbol}`, maxAttempts: PRICE_TRIES }]
        : []),
      ...(thin ? [backfillJob(symbol)] : []),
    ]);
    await jobs.addAll(requests);
  });
  const refetchHistory = (symbol: string): Promise<void> => jobs.addAll([backfillJob(symbol, true)]);
  const replaceSamples = (symbols: readonly string[]): Promise<void> =>
    jobs.addAll([...symbols].sort().map((symbol) => backfillJob(symbol)));
  const refreshDeps = { ...deps, refetchHistory, replaceSamples };

  const refresh: Task<RefreshRound> = async ({ always = false, round = 1, since, fundsFirst = false }, { signal }) => {
    if (!always && !isFeedTime(now())) return;
    const began = new Date().toISOString();
    const listings = await pricesToRefresh(sql, deps.popular, { spare: deps.simulated ? SPARE : 0, fundsFirst, since });
    const result = await refreshPrices(refreshDeps, listings, { signal });
    deps.logger.info({ ...result }, 'prices were refreshed');
    // In the session the next refresh asks those again that got no answer; in the evening, or after a pause, there is
    // none for long.
    const left = result.unasked + (always ? result.unanswered : 0);
    if (left === 0 || round >= MOST_ROUNDS) return;
    const rest = { always, round: round + 1, since: since ?? began, fundsFirst };
    const runAt = new Date(Date.now() + 60_000);
    await jobs.add(REFRESH, rest, { key: 'market-refresh-rest', queue: REFRESH_QUEUE, runAt });
  };
  const backfill: Task<Backfill> = async ({ symbol, again = false, tries = 0 }, { signal }) => {
    const done = await backfillHistory(deps, symbol, again, signal);
    const secondsUntilDailyQuota =
      done.outcome === 'later' && done.why === 'busy'
        ? await deps.providers.secondsUntilDailyQuota('candles', 'backfill')
        : undefined;
    // A part of the first quarter of an hour, so that not all histories come at once.
    const wait =
      secondsUntilDailyQuota === undefined
        ? waitAfter(done, again, tries)
        : { seconds: Math.ceil(secondsUntilDailyQuota + 60 + Math.random() * 14 * 60), tries };
    if (!wait) return;
    if (wait.tries >= MOST_TRIES)
      return deps.logger.warn({ symbol, again }, 'the history could not be fetched, and is given up for now');
    const runAt = new Date(Date.now() + wait.seconds * 1_000);
    // A request for what is lacking does not take the place of one for a fresh copy.
    const key = `market-${again ? 'refetch' : 'backfill'}-later:${symbol}`;
    await jobs.add(BACKFILL, { symbol, again, tries: wait.tries }, { key, runAt });
  };

  /** Fetches histories without closes, with a hole before the day (a roll would hide it) or an unadjusted split. */
  const repairHistories = async (day: string): Promise<void> => {
    const splitsFrom = marketCalendar.addMarketDays(marketCalendar.lastClosedDay(now()), -SPLIT_DAYS);
    const rolled = Array.from({ length: HOLE_DAYS }, (_, at) => marketCalendar.addMarketDays(day, at + 1 - HOLE_DAYS));
    const due = await findHistoriesToBackfill(sql, deps.popular, {
      rolled,
      fetched: lastDayEverywhere(now()),
      splitsFrom,
    });
    await jobs.addAll(due.map(({ symbol, again }) => backfillJob(symbol, again)));
  };
  const rollDay = async (): Promise<void> => {
    await repairHistories(marketCalendar.addMarketDays(marketCalendar.lastClosedDay(now()), -1));
    await writeDailyCloses(sql, now());
  };

  /** Prices requested by symbol, such as a new listing's first: not out of quotes' calls, which may be spent. */
  const refreshNamed = async (symbols: readonly string[], options: RefreshOptions): Promise<RefreshResult> =>
    refreshPrices(refreshDeps, await knownPrices(sql, symbols), { ...options, use: 'listing' });
  const refreshOne: Task<{ symbol: string }> = async ({ symbol }, { signal }) => {
    const { unasked, unanswered } = await refreshNamed([symbol], { signal });
    // What is thrown here brings another try.
    if (unasked + unanswered > 0) throw new Error(`There was no answer for the price of ${symbol}.`);
  };

  const tasks: Tasks = {
    [REFRESH]: refresh,
    [EVENING]: ((payload, helpers) => refresh({ ...payload, fundsFirst: true }, helpers)) satisfies Task<RefreshRound>,
    [REFRESH_ONE]: refreshOne,
    [BACKFILL]: backfill,
    [ROLL_CLOSES]: rollDay,
    [TIDY]: async () => {
      await purgeCallFigures(sql);
      await purgeNews(sql);
    },
  };
  return {
    tasks,
    requestBackfill,
    repairHistories,
    /** Current prices at once: of these symbols, or of all in use. */
    refreshNow: async (symbols: readonly string[] | 'in use', options: RefreshOptions = {}): Promise<RefreshResult> =>
      symbols === 'in use'
        ? refreshPrices(refreshDeps, await pricesToRefresh(sql, deps.popular, { spare: 0 }), options)
        : refreshNamed(symbols, options),
    backfillNow: (symbol: string, again: boolean): Promise<BackfillOutcome> => backfillHistory(deps, symbol, again),
  };
}

/** The wait before the next try and the tries so far; a fresh copy is needed even after a useless answer. */
function waitAfter(
  done: BackfillOutcome,
  again: boolean,
  tries: number,
): { seconds: number; tries: number } | undefined {
  if (done.outcome === 'later' && done.why === 'busy') return { seconds: done.seconds, tries };
  const isUseless = again && (done.outcome === 'taken' || done.outcome === 'implausible');
  if (done.outcome !== 'later' && !isUseless) return undefined;
  const least = done.outcome === 'later' ? done.seconds : 120;
  return { seconds: Math.max(least, Math.min(60 * 2 ** tries, LONGEST_WAIT_SECONDS)), tries: tries + 1 };
}

/** Regular hours, and the minutes after the close in which the day's last prices arrive. */
export function isFeedTime(instant: Date): boolean {
  const hours = marketCalendar.hoursOf(marketCalendar.newYorkDate(instant));
  return hours !== undefined && instant >= hours.open && instant.getTime() < hours.close.getTime() + SETTLING_MS;
}
