import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from './config/load-config.ts';
import { openSharedRedis, type SharedRedis } from './platform/http/shared-redis.ts';

/** Connects to the Redis of REDIS_URL, or returns undefined if there is none. */
export const openRedis = (
  { REDIS_URL: url, REDIS_CA_FILE: caFile }: Config,
  logger: Logger,
  registry: Registry,
): SharedRedis | undefined => (url === undefined ? undefined : openSharedRedis(url, logger, { registry, caFile }));
