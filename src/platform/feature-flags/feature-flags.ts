import type { Logger } from 'pino';
import type { ServiceSql } from '../database/roles.ts';
import type { Feature } from '../../feature.ts';
import { memberRows } from './export-queries.ts';
import { createDatabaseSource, createPostHogSource, type FlagService, openFlagClient } from './flag-source.ts';
import { deleteMemberFlags } from './queries.ts';

interface FeatureFlags extends Feature {
  /**
   * Returns whether a flag is on for a member. If the store is unavailable, the last known value is used, or else off.
   * A value is cached for some seconds, so every process sees a change within that time. Never throws.
   */
  isOn(flag: string, idpId: string): Promise<boolean>;
}

interface FeatureFlagDependencies {
  sql: ServiceSql;
  logger: Logger;
  /** Flag service that is queried before the database. */
  service?: FlagService | undefined;
  /** Returns whether a member's id may be sent to the flag service. If undefined, no id is sent. */
  mayIdentify?: (idpId: string) => Promise<boolean>;
  /** Maximum number of cached values (default 50,000). The oldest is evicted. */
  maxEntries?: number;
  /** Cache time to live in ms (default 5000). */
  ttlMs?: number;
  /** Returns the ms of a monotonic clock. */
  now?: () => number;
}

/**
 * Evaluates rollout flags through OpenFeature. The source is the flag service if it is configured and has the flag, or
 * else the database.
 */
export function createFeatureFlags({
  sql,
  logger,
  service,
  mayIdentify = async () => false,
  maxEntries = 50_000,
  ttlMs = 5_000,
  now = () => performance.now(),
}: FeatureFlagDependencies): FeatureFlags {
  const cache = new Map<string, { on: boolean; at: number }>();
  let client: ReturnType<typeof openFlagClient> | undefined;
  const inFlight = new Map<string, Promise<boolean>>();

  const evaluate = async (key: string, flag: string, idpId: string): Promise<boolean> => {
    try {
      client ??= openFlagClient([
        ...(service ? [createPostHogSource(service, mayIdentify, now)] : []),
        createDatabaseSource(sql, { ttlMs, now }),
      ]);
      const answer = await (await client).getBooleanDetails(flag, false, { targetingKey: idpId });
      if (answer.errorCode !== undefined) throw new Error(answer.errorMessage ?? answer.errorCode);
      const on = answer.value;
      cache.delete(key);
      cache.set(key, { on, at: Number(answer.flagMetadata['at']) });
      if (cache.size > maxEntries) cache.delete(cache.keys().next().value!);
      return on;
    } catch (error) {
      logger.warn({ err: error, flag }, 'flag evaluation failed; using last known value');
      return cache.get(key)?.on ?? false;
    }
  };

  return {
    name: 'feature-flags',
    memberRows,
    async isOn(flag, idpId) {
      const key = `${flag}\n${idpId}`;
      const cached = cache.get(key);
      if (cached && now() - cached.at < ttlMs) return cached.on;
      const evaluation = inFlight.get(key) ?? evaluate(key, flag, idpId).finally(() => inFlight.delete(key));
      inFlight.set(key, evaluation);
      return evaluation;
    },
    onUserDeleted: deleteMemberFlags,
  };
}
