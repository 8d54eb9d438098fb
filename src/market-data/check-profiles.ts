import type { Schedule, Task, TaskName } from '../platform/jobs/task.ts';
import { type MarketJobsDependencies, REFRESH_QUEUE, backfillJob } from './market-jobs.ts';
import { newTicker } from './services/catalog/new-ticker.ts';
import type { Listing } from './domain/market-data-provider.ts';
import { changeCurrency, noteProfile, noteProfileCheck, profilesDue } from './services/catalog/profile-queries.ts';

const PROFILES = 'market-profiles' as TaskName<{ round?: number }>;

/** After the last prices of the day, with calls left over, in the queue of the refreshes: both share the minute. */
export const profileSchedule: Schedule = {
  task: PROFILES,
  match: '10 23 * * *',
  payload: {},
  queue: REFRESH_QUEUE,
  backfillMinutes: 720,
};

const CALL_MS = 10_000;
/** Listings asked about in one go, and minutes in which that goes on where a minute's budget does not reach for all. */
const MOST = 200;
const MOST_ROUNDS = 12;
/** Questions in a row without an answer: the provider is away. */
const MOST_SILENT = 3;

interface ProfileDependencies extends MarketJobsDependencies {
  /** The provider that listings are registered with: others write names in another way. */
  registrar: string;
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

  async function takeOver(symbol: string, listing: Listing): Promise<void> {
    const ticker = newTicker(listing);
    const { currency, declared_unit: unit } = ticker;
    await noteProfile(sql, { ...ticker, symbol });
    if (currency === null || !(await changeCurrency(sql, symbol, currency, unit))) return;
    logger.warn(
      { symbol, currency },
      'a listing has another currency now: its prices and its history are fetched anew',
    );
    await jobs.addAll([backfillJob(symbol)]);
    await deps.refresh(symbol);
  }

  return async ({ round = 1 }, { signal }) => {
    const due = await profilesDue(sql, popular, MOST);
    let silent = 0;
    let at = 0;
    for (; at < due.length && silent < MOST_SILENT && !signal.aborted; at += 1) {
      const symbol = due[at]!;
      const limit = AbortSignal.any([AbortSignal.timeout(CALL_MS), signal]);
      const said = await providers.callOne(deps.registrar, 'lookup', (provider) =>
        provider.lookup(symbol, limit, 'background'),
      );
      if (
        !said ||
        (!said.ok && (said.reason === 'budget' || said.reason === 'rate_limited' || said.reason === 'not_entitled'))
      )
        break;
      const answered = said.ok || said.reason !== 'upstream';
      silent = answered ? 0 : silent + 1;
      if (said.ok) await takeOver(symbol, said.value);
      await noteProfileCheck(sql, symbol, answered);
    }
    const isMore = at < due.length || due.length === MOST;
    if (
      !isMore ||
      round >= MOST_ROUNDS ||
      (await providers.secondsUntilDailyQuota('lookup', 'background')) !== undefined
    )
      return;
    const runAt = new Date(Date.now() + 60_000);
    await jobs.add(PROFILES, { round: round + 1 }, { key: 'market-profiles-rest', queue: REFRESH_QUEUE, runAt });
  };
}
