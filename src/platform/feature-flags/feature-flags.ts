import type { Logger } from 'pino';
import type { ServiceSql } from '../database/roles.ts';
import type { Slice } from '../../slice.ts';
import { memberRows } from './export-queries.ts';
import { createDatabaseSource, createPostHogSource, type FlagService, openFlagClient } from './flag-source.ts';
import { deleteMemberFlags, insertFlag } from './queries.ts';

interface FeatureFlags extends Slice {
  /**
   * Whether a flag is on for a member. While the store is away the last known answer stands; without one the flag is
   * off. An answer is good for some seconds, so a change reaches every process within them. Never throws.
   */
  isOn(flag: string, idpId: string): Promise<boolean>;
  /** Turns the flags on that a new installation starts with; one that was set already stays as it is. */
  seed(): Promise<void>;
}

interface FeatureFlagDependencies {
  sql: ServiceSql;
  logger: Logger;
  /** Asked before the database. */
  service?: FlagService | undefined;
  /** Whether a member's id may be told to that service; nobody's where this is left out. */
  mayIdentify?: (idpId: string) => Promise<boolean>;
  /** Answers remembered at a time (default 50,000); past them the one asked for first is forgotten. */
  maxEntries?: number;
  /** Milliseconds that an answer is good for (default 5000). */
  ttlMs?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** Flags that are on in a new installation. */
const DEFAULT_ENABLED_FLAGS = ['dashboard-watchlist-v01'];

/**
 * Rollout flags through OpenFeature: of the flag service, where one is configured and has the flag, else of the
 * embedded default.
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
        createDatabaseSource(sql, { ttlMs: ttlMs, now }),
      ]);
      const answer = await (await client).getBooleanDetails(flag, false, { targetingKey: idpId });
      if (answer.errorCode !== undefined) throw new Error(answer.errorMessage ?? answer.errorCode);
      const on = answer.value;
      cache.delete(key);
      cache.set(key, { on, at: Number(answer.flagMetadata['at']) });
      if (cache.size > maxEntries) cache.delete(cache.keys().next().value!);
      return on;
    } catch (error) {
      logger.warn({ err: error, flag }, 'a flag could not be looked up; its last known answer stands');
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
    async seed() {
      for (const flag of DEFAULT_ENABLED_FLAGS) await insertFlag(sql, flag, 100);
    },
  };
}
