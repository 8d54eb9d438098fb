import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { connectRedis } from './connect-redis.ts';
import { createRateLimiter, type FailureLimiter, type RateLimitResult } from './rate-limit.ts';

/** Timeout of a Redis reply in ms, after which this process counts the event. */
const RESPONSE_TIMEOUT_MS = 250;
/** Time in ms without calls to Redis after a failure. */
const FAILURE_BACKOFF_MS = 1_000;

/**
 * Counts the sliding window of one key atomically, in a sorted set of microseconds. The script uses the clock of the
 * Redis server, so that the clocks of our processes do not matter. If that clock moves backwards, the time used stays
 * constant until the clock has caught up. KEYS[1] the set; ARGV[1] limit, ARGV[2] window in microseconds, ARGV[3]
 * 'peek' to consume none. Returns allowed, used, oldest, newest, now (microseconds).
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
  consumeToken(
    key: string,
    limit: number,
    windowUs: number,
    mode: ConsumeMode,
  ): Promise<[allowed: number, used: number, oldest: string, newest: string, now: string]>;
}

/** Decision of Redis for a key after an event. */
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

/** Rate limits shared by all processes with the same `REDIS_URL`. Without it each process counts separately. */
export interface SharedRateLimits {
  /** Name in the list of resources that app.ts closes. */
  readonly name: string;
  /**
   * Consumes one event of a key if Redis replies in time. Otherwise returns undefined, immediately if Redis is known to
   * be unavailable, and the caller counts locally. Never rejects.
   */
  consume(key: string, limit: number, windowMs: number): Promise<SharedRateLimitDecision | undefined> | undefined;
  /**
   * Creates a limiter with a separate name. While Redis is unavailable, this process counts, including the events that
   * it allowed before.
   */
  createLimiter(options: { name: string; limit: number; windowMs?: number; now?: () => number }): FailureLimiter;
  close(): Promise<void>;
}

interface SharedRateLimitOptions {
  responseTimeoutMs?: number;
  registry?: Registry;
  /** PEM file with the certificate authorities of Redis. */
  caFile?: string | undefined;
}

/** Creates the shared limits. Logs each time that Redis becomes unavailable or available again. */
export function createSharedRateLimits(
  redisUrl: string | undefined,
  logger: Pick<Logger, 'info' | 'warn'>,
  { responseTimeoutMs = RESPONSE_TIMEOUT_MS, registry, caFile }: SharedRateLimitOptions = {},
): SharedRateLimits {
  const redis = redisUrl === undefined ? undefined : openRedis(redisUrl, caFile);
  if (redis && registry)
    new Gauge({
      name: 'tally_redis_up',
      help: '1 if Redis counts the rate limits, 0 if each process does because Redis is unavailable.',
      aggregator: 'min',
      registers: [registry],
      collect() {
        this.set(isAvailable() ? 1 : 0);
      },
    });
  let isUnavailable = false;
  let pausedUntil = 0;
  const onUnavailable = (error: Error): void => {
    if (!isUnavailable)
      logger.warn({ reason: error.message }, 'Redis unavailable; rate limits fall back to this process');
    isUnavailable = true;
  };
  redis?.on('error', onUnavailable);

  const callScript = async (
    key: string,
    limit: number,
    windowMs: number,
    mode: ConsumeMode,
  ): Promise<SharedRateLimitDecision | undefined> => {
    try {
      const scriptCommands = redis as unknown as ScriptCommands;
      const reply = await rejectAfterTimeout(
        scriptCommands.consumeToken(toRedisKey(key), limit, windowMs * 1_000, mode),
        responseTimeoutMs,
      );
      const [allowed, used, oldest, newest, now] = reply;
      if (isUnavailable) logger.info('Redis available again; rate limits are shared');
      isUnavailable = false;
      const getMsUntil = (timestamp: string): number =>
        Math.max(0, (Number(timestamp) - Number(now)) / 1_000 + windowMs);
      const remaining = Math.max(0, limit - used);
      const msUntilNext = remaining > 0 ? 0 : getMsUntil(oldest);
      return { allowed: allowed === 1, limit, remaining, msUntilReset: getMsUntil(newest), msUntilNext };
    } catch (error) {
      pausedUntil = performance.now() + FAILURE_BACKOFF_MS;
      onUnavailable(error as Error);
      return undefined;
    }
  };
  const isAvailable = (): boolean => redis?.status === 'ready' && performance.now() >= pausedUntil;
  const consume = (key: string, limit: number, windowMs: number, mode: ConsumeMode = 'consume') =>
    isAvailable() ? callScript(key, limit, windowMs, mode) : undefined;

  return {
    name: 'shared-limits',
    consume: (key, limit, windowMs) => consume(key, limit, windowMs),
    createLimiter({ name, limit, windowMs = 60_000, now }) {
      const localLimiter = createRateLimiter({ limit, windowMs, ...(now && { now }) });
      if (!redis) return localLimiter;
      const toSharedKey = (key: string): string => `${name}:${digest(key)}`;
      return {
        async peek(key) {
          const decision = await consume(toSharedKey(key), limit, windowMs, 'peek');
          return decision
            ? toRateLimitResult({ ...decision, allowed: decision.remaining > 0 })
            : localLimiter.peek(key);
        },
        async reset(key) {
          localLimiter.reset(key);
          // If the deletion fails, the count stays, which errs on the side of a lock.
          if (isAvailable()) await redis.del(toRedisKey(toSharedKey(key))).catch(onUnavailable);
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
    async close() {
      redis?.disconnect();
    },
  };
}

/**
 * Returns the reply, or throws if there is none in time. If the event loop was blocked, pending replies are read before
 * the timeout takes effect: timers run before sockets are read, immediates after.
 */
async function rejectAfterTimeout<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const onTimeout = (): void => reject(new Error('Redis timed out'));
  const timer = setTimeout(() => setImmediate(onTimeout), milliseconds);
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Connects to Redis and defines the script. */
function openRedis(url: string, caFile: string | undefined): Redis {
  const redis = connectRedis(url, caFile, {
    // Much longer than the request waits. Bounds the memory for commands that a server never answers.
    commandTimeout: 60_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  });
  redis.defineCommand('consumeToken', { numberOfKeys: 1, lua: CONSUME_SCRIPT });
  return redis;
}

const toRedisKey = (key: string): string => `tally:${key}`;

/** Hashes a key, because Redis need not store network and e-mail addresses. */
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
