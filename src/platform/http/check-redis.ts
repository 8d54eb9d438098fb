import { findTlsRequirement } from '../database/tls-errors.ts';

/** Time in ms for a reply, after which Redis counts as unavailable. */
const REPLY_TIMEOUT_MS = 5_000;

/**
 * Checks that Redis accepts the URL's password and has a trusted certificate. Returns the requirement that the setting
 * violates, as the end of a sentence. An unavailable Redis is no problem, since rate limits do without it.
 */
export const checkRedis = async (url: string, caFile: string | undefined): Promise<string | undefined> =>
  (await inspectRedis(url, caFile)).requirement;

interface RedisState {
  /** Requirement that the setting violates, as the end of a sentence. */
  requirement?: string;
  /** Why Redis does not reply, if the reason may be temporary. */
  unavailableReason?: string;
}

/** Like `checkRedis`, and tells an unavailable Redis from one that replies. */
export async function inspectRedis(url: string, caFile: string | undefined): Promise<RedisState> {
  // Loaded here, because most installations have no Redis.
  const { connectRedis } = await import('./connect-redis.ts');
  const redis = connectRedis(url, caFile, {
    lazyConnect: true,
    retryStrategy: () => null,
    commandTimeout: REPLY_TIMEOUT_MS,
  });
  const errors: Error[] = [];
  redis.on('error', (error) => errors.push(error));
  try {
    await redis.connect();
    await redis.ping();
    return {};
  } catch (error) {
    errors.push(error as Error);
  } finally {
    redis.disconnect();
  }
  for (const error of errors) {
    const tlsRequirement = findTlsRequirement(error, 'REDIS_CA_FILE');
    if (tlsRequirement !== undefined) return { requirement: tlsRequirement };
    if (/^(WRONGPASS|NOAUTH|NOPERM|ERR.*AUTH)/.test(error.message))
      return { requirement: `have the user and password that Redis accepts (${error.message})` };
  }
  return { unavailableReason: errors[0]!.message };
}
