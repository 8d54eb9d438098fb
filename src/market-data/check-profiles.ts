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

/**
 * Runs after the last prices of the day with the remaining calls. It shares the refresh queue, because both share the
 * quota of the minute.
 */
export const profileSchedule: Schedule = {
  task: CHECK_PROFILES_TASK,
  match: '10 23 * * *',
  payload: {},
  queue: REFRESH_QUEUE,
  backfillMinutes: 720,
};

const CALL_TIMEOUT_MS = 10_000;
/** Listings per run, and minutes over which a run continues if the quota of one minute is too small. */
const MAX_PROFILES = 200;
const MAX_ROUNDS = 12;
/** Consecutive failed calls after which the provider counts as unavailable. */
const MAX_CONSECUTIVE_FAILURES = 3;

interface ProfileDependencies extends MarketJobsDependencies {
  /** Provider that registers listings. Other providers write names differently. */
  registrationProviderId: string;
  /** Fetches a price immediately. */
  refresh(symbol: string): Promise<unknown>;
}

/**
 * Checks the profiles of listings in use once a week, longest-waiting first. A new name is stored. A new currency
 * deletes the prices and history in the old one in the same transaction. Both are then fetched again, and in-flight
 * results in the old currency are not stored.
 */
export function createProfileChecks(deps: ProfileDependencies): Task<{ round?: number }> {
  const { sql, jobs, providers, logger, popular } = deps;

  async function applyProfile(symbol: string, listing: Listing): Promise<void> {
    const ticker = toNewTicker(listing);
    const { currency, declared_unit: unit } = ticker;
    await recordProfile(sql, { ...ticker, symbol });
    if (currency === null || !(await changeCurrency(sql, symbol, currency, unit))) return;
    logger.warn({ symbol, currency }, 'the currency of a listing changed; refetching its prices and history');
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
          (result.reason === 'quota_exhausted' || result.reason === 'rate_limited' || result.reason === 'not_entitled'))
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
