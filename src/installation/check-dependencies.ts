import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config/load-config.ts';
import { getConnectionKeys, getDemoOperatorToken, getRevenueToken } from '../config/provider-settings.ts';
import { canDecryptStoredSecrets } from '../features/connections/check-key.ts';
import type { ServiceSecrets } from './local-secrets.ts';
import { getExternalUrls } from './open-database.ts';
import { findMissingLogSettings } from '../platform/database/check-statement-log.ts';
import { readClockOffset } from '../platform/database/clock.ts';
import { isLostWorkerError } from '../platform/database/connection-loss.ts';
import type { Database } from '../platform/database/connect.ts';
import { checkRedis } from '../platform/http/check-redis.ts';

/** Difference in seconds to the database's clock beyond which another server may reject this server's sessions. */
export const MAX_CLOCK_OFFSET_SECONDS = 30;

/**
 * Checks what a process depends on besides the database's logins: Redis, the key of stored connections, the clock, and
 * the database's log. Throws `ConfigError` that names the wrong setting. A wrong clock or database log is only logged,
 * since it can be corrected while the process runs.
 */
export async function checkDependencies(
  config: Config,
  secrets: ServiceSecrets,
  database: Database,
  logger: Logger,
): Promise<void> {
  if (hasEqualTokens(config, secrets)) throw new ConfigError(TOKENS_EQUAL);
  const redisProblem = config.REDIS_URL && (await checkRedis(config.REDIS_URL, config.REDIS_CA_FILE));
  if (redisProblem) throw new ConfigError(`The setting REDIS_URL must ${redisProblem}.`);
  const keys = getConnectionKeys(config, secrets);
  if (!keys?.isPreviousLost && !(await canDecrypt(keys, database, logger)))
    throw new ConfigError(
      'The setting CONNECTIONS_KEY must be the key that encrypted the stored connections: set it back, or set a new ' +
        'one and CONNECTIONS_KEY_PREVIOUS to that key (to "lost" if nobody has it, and members must connect again).',
    );
  const offset = await readClockOffset(database.service);
  if (Math.abs(offset) > MAX_CLOCK_OFFSET_SECONDS)
    logger.error(
      { seconds: Math.round(offset) },
      "this server's clock differs from the database's; sign-ins are rejected until both agree: synchronize them",
    );
  const assistantUrl = config.DB_URL === undefined ? undefined : getExternalUrls(config).assistant;
  const missing = assistantUrl === undefined ? [] : await findMissingLogSettings(assistantUrl);
  if (missing.length > 0) logger.warn({ missing }, SQL_LOGGED_WARNING);
}

/**
 * Returns whether the keys decrypt the stored credentials. While a worker of a cluster is lost, it logs a warning and
 * returns true.
 */
async function canDecrypt(
  keys: Parameters<typeof canDecryptStoredSecrets>[1],
  database: Database,
  logger: Logger,
): Promise<boolean> {
  try {
    return await canDecryptStoredSecrets(database.service, keys);
  } catch (err) {
    if (!isLostWorkerError(err)) throw err;
    logger.warn({ err }, 'CONNECTIONS_KEY was not checked, since a worker of the cluster is unavailable');
    return true;
  }
}

/** Returns whether two tokens for different purposes are equal. The settings allow it if one was generated. */
function hasEqualTokens(config: Config, secrets: ServiceSecrets): boolean {
  const tokens = [
    getRevenueToken(config, secrets),
    getDemoOperatorToken(config, secrets),
    config.OPERATOR_TOKEN,
    config.METRICS_TOKEN,
    config.INTERNAL_API_TOKEN,
  ].filter((token) => token !== undefined);
  return new Set(tokens).size < tokens.length;
}

const TOKENS_EQUAL =
  'The setting DEMO_ACCESS_OPERATOR_TOKEN, REVENUE_OPERATOR_TOKEN, OPERATOR_TOKEN, METRICS_TOKEN or INTERNAL_API_TOKEN ' +
  'must have another value: one equals a token that the first start generated for another purpose.';

const SQL_LOGGED_WARNING =
  "members' own SQL may appear in the database's log: a superuser must give the missing settings to the login " +
  'assistant_authenticator; see docs/how-to/external-database.md';
