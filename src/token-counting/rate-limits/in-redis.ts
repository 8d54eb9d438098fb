import { Redis } from 'ioredis';
import type { UsageTier } from '../queries.ts';
import { createMemoryLimits } from './in-memory.ts';
import { type Decision, limitOf, type RateLimits, type TierLimits, WINDOW_MS } from './rate-limit.ts';

/** An answer that takes longer is no answer: the request is counted in this process instead. */
const ANSWER_WITHIN_MS = 250;
/** After a failure Redis is left alone for so long. */
const PAUSE_MS = 1_000;

/**
 * The sliding log of one organisation as a sorted set of microseconds, taken in one atomic step on the clock of the
 * Redis server, so that the clocks of our processes do not matter. Should that clock go back, time stands still until
 * it has caught up. KEYS[1] the set; ARGV[1] limit, ARGV[2] window in microseconds. Returns allowed, used, oldest,
 * newest, now (microseconds).
 */
export const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local limit = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local newest = redis.call('ZRANGE', KEYS[1], -1, -1)[1]
if newest and tonumber(newest) >= now then now = tonumber(newest) + 1 end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
local used = redis.call('ZCARD', KEYS[1])
local allowed = 0
if used < limit then
  local member = string.format('%.0f', now)
  redis.call('ZADD', KEYS[1], member, member)
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1000)
  allowed = 1
  used = used + 1
end
local oldest = redis.call('ZRANGE', KEYS[1], math.max(0, used - limit), math.max(0, used - limit))[1]
  or string.format('%.0f', now)
newest = redis.call('ZRANGE', KEYS[1], -1, -1)[1] or string.format('%.0f', now)
return { allowed, used, oldest, newest, string.format('%.0f', now) }
`;

interface Scripted {
  takeToken(key: string, limit: number, windowUs: number): Promise<[number, number, string, string, string]>;
}

/**
 * Limits shared by all processes that use the same Redis. While it is away each process goes on with the same figures
 * of its own, counting what it let through before as well: the service stays up, and n processes let through at most n
 * times the figure. `on.fallback` is told of each request that was counted here, `on.error` of each time that Redis is
 * lost.
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
