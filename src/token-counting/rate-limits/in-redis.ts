import { Redis } from 'ioredis';
import type { UsageTier } from '../queries.ts';
import { createMemoryLimits } from './in-memory.ts';
import type { Decision, RateLimits, TierLimits } from './rate-limit.ts';
import { limitOf, WINDOW_MS } from './rate-limit.ts';
import { TAKE_SCRIPT } from './redis-script.ts';

/** An answer that takes longer is no answer: the request is counted in this process instead. */
const ANSWER_WITHIN_MS = 250;
/** After a failure Redis is left alone for so long. */
const PAUSE_MS = 1_000;

interface Scripted {
  takeToken(key: string, limit: number, windowUs: number): Promise<[number, number, string, string, string]>;
}

/**
 * Limits shared by all processes that use the same Redis. While it is away each process goes on with the same figures of its own,
 * counting what it let through before as well: the service stays up, and n processes let through at most n times the figure.
 * `on.fallback` is told of each request that was counted here, `on.error` of each time that Redis is lost.
 */
export function createRedisLimits(
  limits: TierLimits,
  url: string,
  on: { fallback: () => void; error: (error: Error) => void },
  answerWithin = ANSWER_WITHIN_MS,
): RateLimits {
  const local = createMemoryLimits(limits);
  if (limits === 'off') return local;
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: answerWithin,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  });
  let isAway = false;
  const lost = (error: Error): void => {
    if (!isAway) on.error(error);
    isAway = true;
  };
  redis.on('error', lost);
  redis.defineCommand('takeToken', { numberOfKeys: 1, lua: TAKE_SCRIPT });
  const scripted = redis as unknown as Scripted;
  let pausedUntil = 0;

  const ask = async (organisation: string, tier: UsageTier, limit: number): Promise<Decision | undefined> => {
    try {
      const [allowed, used, oldest, newest, now] = await scripted.takeToken(
        `tally:count:${organisation}`,
        limit,
        WINDOW_MS * 1_000,
      );
      isAway = false;
      const until = (moment: string): number => Math.max(0, (Number(moment) - Number(now)) / 1_000 + WINDOW_MS);
      const remaining = Math.max(0, limit - used);
      // Kept here too, so that this process does not start at zero when Redis goes away.
      if (allowed === 1) local.take(organisation, tier);
      return {
        allowed: allowed === 1,
        limit,
        remaining,
        untilAll: until(newest),
        untilNext: remaining > 0 ? 0 : until(oldest),
      };
    } catch (error) {
      pausedUntil = performance.now() + PAUSE_MS;
      lost(error as Error);
      on.fallback();
      return local.take(organisation, tier);
    }
  };

  return {
    take(organisation, tier) {
      if (redis.status === 'ready' && performance.now() >= pausedUntil)
        return ask(organisation, tier, limitOf(limits, tier));
      on.fallback();
      return local.take(organisation, tier);
    },
    async close() {
      redis.disconnect();
    },
  };
}
