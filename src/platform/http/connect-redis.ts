import { readFileSync } from 'node:fs';
import { Redis, type RedisOptions } from 'ioredis';

type ConnectOptions = Pick<RedisOptions, 'commandTimeout' | 'lazyConnect' | 'retryStrategy'>;

/** Creates a client of Redis. `caFile` names the certificate authorities of a `rediss://` URL. */
export function connectRedis(url: string, caFile: string | undefined, options: ConnectOptions = {}): Redis {
  return new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    ...(caFile !== undefined && url.startsWith('rediss:') ? { tls: { ca: readFileSync(caFile) } } : {}),
    ...options,
  });
}
