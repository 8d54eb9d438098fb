import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createRateLimiter, type FailureLimiter, type RateLimitResult } from './rate-limit.ts';
import type { SharedRedis } from './shared-redis.ts';

/**
 * Counts the events of one key in a sliding window atomically, in a sorted set of their times in microseconds. The
 * script uses the clock of the Redis server, so that the clocks of our processes do not matter. If that clock moves
 * backwards, each event is one microsecond after the newest until the clock has caught up. KEYS[1] is the set, ARGV[1]
 * the limit, ARGV[2] the window in microseconds, ARGV[3] 'consume' or 'peek', which consumes no event. Returns
 * `allowed` (1 or 0), `used` (events in the window), and in microseconds `oldest` (the event whose expiry allows the
 * next one), `newest` (event) and `now`.
 */
export const CONSUME_SCRIPT = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local limit = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local newest = redis.call('ZRANGE', KEYS[1], -1, -1)[1]
if newest and tonumber(newest) >= now then now = tonumber(newest) + 1 end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
local used = redis.call('ZCARD', KEYS[1])
local allowed = 0
if used < limit and ARGV[3] ~= 'peek' then
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

type ConsumeMode = 'consume' | 'peek';

interface ScriptCommands {
  consumeEvent(
    key: string,
    limit: number,
    windowUs: number,
    mode: ConsumeMode,
  ): Promise<[allowed: number, used: number, oldest: string, newest: string, now: string]>;
}

/** State of a key in Redis, and whether its last event was allowed. */
export interface SharedRateLimitDecision {
  allowed: boolean;
  limit: number;
  /** Remaining events in the current window. */
  remaining: number;
  /** Milliseconds until the full limit is available again. */
  msUntilReset: number;
  /** Milliseconds until one event is available, or 0 if one is. */
  msUntilNext: number;
}

/** Rate limits that all processes with one Redis share. */
export interface SharedRateLimits {
  /**
   * Consumes one event of a key and returns a promise of the decision. It resolves to undefined if Redis does not reply
   * in time, and never rejects. Returns undefined, without a promise, if Redis is known to be unavailable. The caller
   * then counts locally.
   */
  consume(key: string, limit: number, windowMs: number): Promise<SharedRateLimitDecision | undefined> | undefined;
  /**
   * Creates a limiter that counts apart from those with other names (`windowMs` is a minute by default). While Redis is
   * unavailable, this process counts, including the events that it allowed before. `now` is the local clock in ms.
   */
  createLimiter(options: { name: string; limit: number; windowMs?: number; now?: () => number }): FailureLimiter;
}

/** Creates the limits that all processes with this Redis share. If it is undefined, each process counts separately. */
export function createSharedRateLimits(redis: SharedRedis | undefined): SharedRateLimits {
  const consume = (key: string, limit: number, windowMs: number, mode: ConsumeMode = 'consume') =>
    redis?.run(async (client) => callScript(client, { key, limit, windowMs, mode }));

  return {
    consume: (key, limit, windowMs) => consume(key, limit, windowMs),
    createLimiter({ name, limit, windowMs = 60_000, now }) {
      const localLimiter = createRateLimiter({ limit, windowMs, ...(now && { now }) });
      if (!redis) return localLimiter;
      const toSharedKey = (key: string): string => `${name}:${digest(key)}`;
      return {
        rate: localLimiter.rate!,
        async peek(key) {
          const decision = await consume(toSharedKey(key), limit, windowMs, 'peek');
          return decision
            ? toRateLimitResult({ ...decision, allowed: decision.remaining > 0 })
            : localLimiter.peek(key);
        },
        async reset(key) {
          localLimiter.reset(key);
          // If the deletion fails, the key stays limited until its window ends.
          await redis.run((client) => client.del(toRedisKey(toSharedKey(key))));
        },
        async consume(key) {
          const decision = await consume(toSharedKey(key), limit, windowMs);
          if (!decision) return localLimiter.consume(key);
          // Count locally too, so that this process does not start at zero when Redis becomes unavailable.
          if (decision.allowed) localLimiter.consume(key);
          return toRateLimitResult(decision);
        },
      };
    },
  };
}

/** Runs the script for a key and returns the decision. Rejects if the command fails. */
async function callScript(
  redis: Redis,
  { key, limit, windowMs, mode }: { key: string; limit: number; windowMs: number; mode: ConsumeMode },
): Promise<SharedRateLimitDecision> {
  const client = withScript(redis);
  const [allowed, used, oldest, newest, now] = await client.consumeEvent(
    toRedisKey(key),
    limit,
    windowMs * 1_000,
    mode,
  );
  const getMsUntilExpiry = (eventAt: string): number => Math.max(0, (Number(eventAt) - Number(now)) / 1_000 + windowMs);
  const remaining = Math.max(0, limit - used);
  const msUntilNext = remaining > 0 ? 0 : getMsUntilExpiry(oldest);
  return { allowed: allowed === 1, limit, remaining, msUntilReset: getMsUntilExpiry(newest), msUntilNext };
}

/** Returns the client with the script as a command, which it defines at the first call. */
function withScript(redis: Redis): ScriptCommands {
  const client = redis as Redis & Partial<ScriptCommands>;
  if (!client.consumeEvent) redis.defineCommand('consumeEvent', { numberOfKeys: 1, lua: CONSUME_SCRIPT });
  return client as ScriptCommands;
}

const toRedisKey = (key: string): string => `tally:${key}`;

/** Returns a hash of a key in 22 characters, so that Redis stores no network and email addresses. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 22);

function toRateLimitResult({
  allowed,
  limit,
  remaining,
  msUntilReset,
  msUntilNext,
}: SharedRateLimitDecision): RateLimitResult {
  const state = { limit, remaining, resetAfter: msUntilReset / 1_000 };
  return allowed ? { ok: true, state } : { ok: false, retryAfter: msUntilNext / 1_000, state };
}
