import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config/load-config.ts';
import type { SharedRedis } from '../platform/http/shared-redis.ts';

/** Loads the client and connects to the Redis of REDIS_URL, or returns undefined if there is none. */
export async function openRedis(
  { REDIS_URL: url, REDIS_CA_FILE: caFile }: Config,
  logger: Logger,
  registry: Registry,
): Promise<SharedRedis | undefined> {
  if (url === undefined) return undefined;
  const { openSharedRedis } = await import('../platform/http/shared-redis.ts');
  return openSharedRedis(url, logger, { registry, caFile });
}
