import type { Logger } from 'pino';
import type { ServiceSql } from '../database/roles.ts';
import type { Slice } from '../../slice.ts';
import { memberRows } from './export-queries.ts';
import { askDatabase, askPostHog, type FlagService, openFlagClient } from './flag-source.ts';
import { deleteFlagsOf, insertFlag } from './queries.ts';

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
  mayName?: (idpId: string) => Promise<boolean>;
  /** Answers remembered at a time (default 50,000); past them the one asked for first is forgotten. */
  remembered?: number;
  /** Milliseconds that an answer is good for (default 5000). */
  freshFor?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** Flags that are on in a new installation. */
const FROM_THE_START = ['dashboard-watchlist-v01'];

/**
 * Rollout flags through OpenFeature: of the flag service, where one is configured and has the flag, else of the
 * embedded default.
 */
export function createFeatureFlags({
  sql,
  logger,
  service,
  mayName = async () => false,
  remembered = 50_000,
  freshFor = 5_000,
  now = () => performance.now(),
}: FeatureFlagDependencies): FeatureFlags {
  const known = new Map<string, { on: boolean; at: number }>();
  let client: ReturnType<typeof openFlagClient> | undefined;
  const asking = new Map<string, Promise<boolean>>();

  const ask = async (key: string, flag: string, idpId: string): Promise<boolean> => {
    try {
      client ??= openFlagClient([
        ...(service ? [askPostHog(service, mayName, now)] : []),
        askDatabase(sql, { freshFor, now }),
      ]);
      const answer = await (await client).getBooleanDetails(flag, false, { targetingKey: idpId });
      if (answer.errorCode !== undefined) throw new Error(answer.errorMessage ?? answer.errorCode);
      const on = answer.value;
      known.delete(key);
      known.set(key, { on, at: Number(answer.flagMetadata['at']) });
      if (known.size > remembered) known.delete(known.keys().next().value!);
      return on;
    } catch (error) {
      logger.warn({ err: error, flag }, 'a flag could not be looked up; its last known answer stands');
      return known.get(key)?.on ?? false;
    }
  };

  return {
    name: 'feature-flags',
    memberRows,
    async isOn(flag, idpId) {
      const key = `${flag}\n${idpId}`;
      const last = known.get(key);
      if (last && now() - last.at < freshFor) return last.on;
      const asked = asking.get(key) ?? ask(key, flag, idpId).finally(() => asking.delete(key));
      asking.set(key, asked);
      return asked;
    },
    onUserDeleted: deleteFlagsOf,
    async seed() {
      for (const flag of FROM_THE_START) await insertFlag(sql, flag, 100);
    },
  };
}
