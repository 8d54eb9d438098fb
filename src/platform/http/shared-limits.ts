import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { createRateLimiter, type FailureLimiter, type Taken } from './rate-limit.ts';

/** An answer that takes longer is no answer: the event is counted in this process instead. */
const ANSWER_WITHIN_MS = 250;
/** After a failure Redis is left alone for so long. */
const PAUSE_MS = 1_000;

/**
 * The sliding log of one key as a sorted set of microseconds, taken in one atomic step on the clock of the Redis
 * server, so that the clocks of our processes do not matter. Should that clock go back, time stands still until it has
 * caught up. KEYS[1] the set; ARGV[1] limit, ARGV[2] window in microseconds, ARGV[3] 'look' to take none. Returns
 * allowed, used, oldest, newest, now (microseconds).
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
if used < limit and ARGV[3] ~= 'look' then
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

type Way = 'take' | 'look';

interface Scripted {
  takeToken(
    key: string,
    limit: number,
    windowUs: number,
    way: Way,
  ): Promise<[allowed: number, used: number, oldest: string, newest: string, now: string]>;
}

/** What Redis says of a key after an event. */
export interface SharedDecision {
  allowed: boolean;
  limit: number;
  /** Events left in the window that ends now. */
  remaining: number;
  /** Milliseconds until the whole limit is free again. */
  untilAll: number;
  /** Milliseconds until one event is free; 0 where one is. */
  untilNext: number;
}

/** Limits that all processes with the same `REDIS_URL` count together; without it each process counts by itself. */
export interface SharedLimits {
  /** For the list of what app.ts closes. */
  readonly name: string;
  /**
   * Takes one of a key's events where Redis answers in time. `undefined`, at once where it is known to be away: the
   * caller counts by itself. Never rejects.
   */
  take(key: string, limit: number, windowMs: number): Promise<SharedDecision | undefined> | undefined;
  /** A limit of its own name; while Redis is away, of this process with what it let through before. */
  limiter(options: { name: string; limit: number; windowMs?: number; now?: () => number }): FailureLimiter;
  close(): Promise<void>;
}

/** The log says each time that Redis goes away. */
export function createSharedLimits(
  redisUrl: string | undefined,
  logger: Pick<Logger, 'warn'>,
  { answerWithin = ANSWER_WITHIN_MS, registry }: { answerWithin?: number; registry?: Registry } = {},
): SharedLimits {
  const redis = redisUrl === undefined ? undefined : connect(redisUrl);
  if (redis && registry)
    new Gauge({
      name: 'tally_redis_up',
      help: 'Whether limits are counted in Redis (1), or by each process because it is away (0).',
      aggregator: 'min',
      registers: [registry],
      collect() {
        this.set(answers() ? 1 : 0);
      },
    });
  let isAway = false;
  let pausedUntil = 0;
  const away = (error: Error): void => {
    if (!isAway) logger.warn({ err: error }, 'Redis is away');
    isAway = true;
  };
  redis?.on('error', away);

  const ask = async (key: string, limit: number, windowMs: number, way: Way): Promise<SharedDecision | undefined> => {
    try {
      const scripted = redis as unknown as Scripted;
      const told = await inTime(scripted.takeToken(nameOf(key), limit, windowMs * 1_000, way), answerWithin);
      const [allowed, used, oldest, newest, now] = told;
      isAway = false;
      const until = (moment: string): number => Math.max(0, (Number(moment) - Number(now)) / 1_000 + windowMs);
      const remaining = Math.max(0, limit - used);
      const untilNext = remaining > 0 ? 0 : until(oldest);
      return { allowed: allowed === 1, limit, remaining, untilAll: until(newest), untilNext };
    } catch (error) {
      pausedUntil = performance.now() + PAUSE_MS;
      away(error as Error);
      return undefined;
    }
  };
  const answers = (): boolean => redis?.status === 'ready' && performance.now() >= pausedUntil;
  const take = (key: string, limit: number, windowMs: number, way: Way = 'take') =>
    answers() ? ask(key, limit, windowMs, way) : undefined;

  return {
    name: 'shared-limits',
    take: (key, limit, windowMs) => take(key, limit, windowMs),
    limiter({ name, limit, windowMs = 60_000, now }) {
      const local = createRateLimiter({ limit, windowMs, ...(now && { now }) });
      if (!redis) return local;
      const shared = (key: string): string => `${name}:${digest(key)}`;
      return {
        async look(key) {
          const decision = await take(shared(key), limit, windowMs, 'look');
          return decision ? takenOf({ ...decision, allowed: decision.remaining > 0 }) : local.look(key);
        },
        async forget(key) {
          local.forget(key);
          // Where that fails the count goes on, which errs on the side of a lock.
          if (answers()) await redis.del(nameOf(shared(key))).catch(away);
        },
        async take(key) {
          const decision = await take(shared(key), limit, windowMs);
          if (!decision) return local.take(key);
          // Kept here too, so that this process does not start at zero when Redis goes away.
          if (decision.allowed) local.take(key);
          return takenOf(decision);
        },
      };
    },
    async close() {
      redis?.disconnect();
    },
  };
}

/**
 * The answer, or an error where there is none in time. A process that itself was busy for longer reads first what has
 * arrived meanwhile: timers run before sockets are read, immediates after.
 */
async function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(new Error('Redis did not answer in time'));
  const timer = setTimeout(() => setImmediate(giveUp), milliseconds);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function connect(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    // Long after the request went on without: so that what a server never answers is not kept for ever.
    commandTimeout: 60_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  });
  redis.defineCommand('takeToken', { numberOfKeys: 1, lua: TAKE_SCRIPT });
  return redis;
}

const nameOf = (key: string): string => `tally:${key}`;

/** Keys hold addresses and e-mail addresses, which Redis need not know. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 22);

function takenOf({ allowed, limit, remaining, untilAll, untilNext }: SharedDecision): Taken {
  const standing = { limit, remaining, resetAfter: untilAll / 1_000 };
  return allowed ? { ok: true, standing } : { ok: false, retryAfter: untilNext / 1_000, standing };
}
