import type { Schedule, Task, TaskName } from '../platform/jobs/task.ts';
import { type MarketJobsDependencies, REFRESH_QUEUE, backfillJob } from './market-jobs.ts';
import { toNewTicker } from './services/catalog/new-ticker.ts';
import type { Listing } from './domain/market-data-provider.ts';
import {
  changeCurrency,
  recordProfile,
  recordProfileCheck,
  listProfilesDue,
} from './services/catalog/profile-queries.ts';

const CHECK_PROFILES_TASK = 'market-profiles' as TaskName<{ round?: number }>;

/** After the last prices of the day, with calls left over, in the queue of the refreshes: both share the minute. */
export const profileSchedule: Schedule = {
  task: CHECK_PROFILES_TASK,
  match: '10 23 * * *',
  payload: {},
  queue: REFRESH_QUEUE,
  backfillMinutes: 720,
};

const CALL_TIMEOUT_MS = 10_000;
/** Listings asked about in one go, and minutes in which that goes on where a minute's budget does not reach for all. */
const MAX_PROFILES = 200;
const MAX_ROUNDS = 12;
/** Questions in a row without an answer: the provider is away. */
const MAX_CONSECUTIVE_FAILURES = 3;

interface ProfileDependencies extends MarketJobsDependencies {
  /** The provider that listings are registered with: others write names in another way. */
  registrationProviderId: string;
  /** Fetches a price at once. */
  refresh(symbol: string): Promise<unknown>;
}

/**
 * Checks the profiles of listings in use once a week, the longest waiting first. A new name is stored. A new currency
 * removes the old one's prices and history in the same transaction; both are fetched anew, and calls in flight for the
 * old one are not stored.
 */
export function createProfileChecks(deps: ProfileDependencies): Task<{ round?: number }> {
  const { sql, jobs, providers, logger, popular } = deps;

  async function applyProfile(symbol: string, listing: Listing): Promise<void> {
    const ticker = toNewTicker(listing);
    const { currency, declared_unit: unit } = ticker;
    await recordProfile(sql, { ...ticker, symbol });
    if (currency === null || !(await changeCurrency(sql, symbol, currency, unit))) return;
    logger.warn(
      { symbol, currency },
      'a listing has another currency now: its prices and its history are fetched anew',
    );
    await jobs.addAll([backfillJob(symbol)]);
    await deps.refresh(symbol);
  }

  return async ({ round = 1 }, { signal }) => {
    const due = await listProfilesDue(sql, popular, MAX_PROFILES);
    let consecutiveFailures = 0;
    let index = 0;
    for (; index < due.length && consecutiveFailures < MAX_CONSECUTIVE_FAILURES && !signal.aborted; index += 1) {
      const symbol = due[index]!;
      const callSignal = AbortSignal.any([AbortSignal.timeout(CALL_TIMEOUT_MS), signal]);
      const result = await providers.callOne(deps.registrationProviderId, 'lookup', (provider) =>
        provider.lookup(symbol, callSignal, 'background'),
      );
      if (
        !result ||
        (!result.ok &&
          (result.reason === 'budget' || result.reason === 'rate_limited' || result.reason === 'not_entitled'))
      )
        break;
      const hasAnswer = result.ok || result.reason !== 'upstream';
      consecutiveFailures = hasAnswer ? 0 : consecutiveFailures + 1;
      if (result.ok) await applyProfile(symbol, result.value);
      await recordProfileCheck(sql, symbol, hasAnswer);
    }
    const hasMore = index < due.length || due.length === MAX_PROFILES;
    if (
      !hasMore ||
      round >= MAX_ROUNDS ||
      (await providers.secondsUntilDailyQuota('lookup', 'background')) !== undefined
    )
      return;
    const runAt = new Date(Date.now() + 60_000);
    await jobs.add(
      CHECK_PROFILES_TASK,
      { round: round + 1 },
      { key: 'market-profiles-rest', queue: REFRESH_QUEUE, runAt },
    );
  };
}
