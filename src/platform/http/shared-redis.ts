import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { connectRedis } from './connect-redis.ts';

/** Timeout of a Redis reply in ms, after which Redis counts as unavailable. */
const RESPONSE_TIMEOUT_MS = 250;
/** Time in ms without calls to Redis after a failure. */
const FAILURE_BACKOFF_MS = 1_000;

/** Connection to the Redis that all processes with one `REDIS_URL` share. Redis may be unavailable at any time. */
export interface SharedRedis {
  /** Name in the list of resources that app.ts closes. */
  readonly name: string;
  /**
   * Runs commands and returns a promise of their result. It resolves to undefined if the commands fail or Redis does
   * not reply in time, and never rejects. Returns undefined, without a promise, if Redis is known to be unavailable.
   */
  run<T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined> | undefined;
  close(): Promise<void>;
}

interface SharedRedisOptions {
  responseTimeoutMs?: number;
  registry?: Registry;
  /** PEM file with the certificate authorities of Redis. */
  caFile?: string | undefined;
}

/** Connects to Redis. Logs each time that it becomes unavailable or available again. */
export function openSharedRedis(
  url: string,
  logger: Pick<Logger, 'info' | 'warn'>,
  { responseTimeoutMs = RESPONSE_TIMEOUT_MS, registry, caFile }: SharedRedisOptions = {},
): SharedRedis {
  const redis = connectRedis(url, caFile, {
    // Limits the memory for commands without a reply. Callers wait only for `responseTimeoutMs`.
    commandTimeout: 60_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  });
  let isUnavailable = false;
  let isClosed = false;
  let pausedUntil = 0;
  const isReady = (): boolean => redis.status === 'ready' && performance.now() >= pausedUntil;
  const onUnavailable = (error: Error): void => {
    // A connection that is closed while it is made also fails.
    if (isClosed) return;
    if (!isUnavailable)
      logger.warn({ reason: error.message }, 'Redis unavailable; rate limits fall back to this process');
    isUnavailable = true;
  };
  redis.on('error', onUnavailable);
  if (registry)
    new Gauge({
      name: 'tally_redis_up',
      help: '1 if Redis counts the rate limits, 0 if each process does because Redis is unavailable.',
      aggregator: 'min',
      registers: [registry],
      collect() {
        this.set(isReady() ? 1 : 0);
      },
    });

  const callRedis = async <T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined> => {
    try {
      const reply = await rejectAfterTimeout(command(redis), responseTimeoutMs);
      if (isUnavailable) logger.info('Redis available again; rate limits are shared');
      isUnavailable = false;
      return reply;
    } catch (error) {
      pausedUntil = performance.now() + FAILURE_BACKOFF_MS;
      onUnavailable(error as Error);
      return undefined;
    }
  };

  return {
    name: 'shared-redis',
    run: (command) => (isReady() ? callRedis(command) : undefined),
    async close() {
      isClosed = true;
      redis.disconnect();
    },
  };
}

/**
 * Returns the reply, or throws if there is none in time. After a blocked event loop, replies that have arrived still
 * count: Node runs timers, then reads sockets, then runs immediates, so the timeout takes effect in an immediate.
 */
async function rejectAfterTimeout<T>(reply: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const onTimeout = (): void => reject(new Error('Redis timed out'));
  const timer = setTimeout(() => setImmediate(onTimeout), timeoutMs);
  try {
    return await Promise.race([reply, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
