import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../database/roles.ts';
import type { Slice } from '../slice.ts';
import { deleteFlagsOf, insertFlag, selectFlagFor } from './queries.ts';

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
  /** Milliseconds that an answer is good for (default 5000). */
  freshFor?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** Flags that are on in a new installation. */
const FROM_THE_START = ['dashboard-watchlist-v01'];

/** Answers remembered at a time; past them the one unused for longest is forgotten. */
const REMEMBERED = 50_000;

/** A member's place from 0 to 99 for a flag: the same in every process, and one that is in at 10 % is in at 20 %. */
export function shareOf(flag: string, idpId: string): number {
  return createHash('sha256').update(`${flag}:${idpId}`).digest().readUInt32BE(0) % 100;
}

/** Rollout flags of the embedded default: two tables, asked per member. */
export function createFeatureFlags({
  sql,
  logger,
  freshFor = 5_000,
  now = () => performance.now(),
}: FeatureFlagDependencies): FeatureFlags {
  const known = new Map<string, { on: boolean; at: number }>();
  const asking = new Map<string, Promise<boolean>>();

  const ask = async (key: string, flag: string, idpId: string): Promise<boolean> => {
    try {
      const [row] = await selectFlagFor(sql, flag, idpId);
      const on = row !== undefined && (row.enabled ?? shareOf(flag, idpId) < row.percentage);
      known.delete(key);
      known.set(key, { on, at: now() });
      if (known.size > REMEMBERED) known.delete(known.keys().next().value!);
      return on;
    } catch (error) {
      logger.warn({ err: error, flag }, 'a flag could not be looked up; its last known answer stands');
      return known.get(key)?.on ?? false;
    }
  };

  return {
    name: 'feature-flags',
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
