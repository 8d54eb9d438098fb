import { createHash } from 'node:crypto';
import type { Client, Provider } from '@openfeature/server-sdk';
import type { ServiceSql } from '../database/roles.ts';
import { selectFlagFor, selectSettings } from './queries.ts';

/**
 * Evaluates a flag for a member with one source. `on` is undefined if the source does not have the flag. `at` is the
 * time for which the value is valid. Throws if the source is unavailable.
 */
type FlagSource = (flag: string, idpId: string) => Promise<{ on: boolean | undefined; at: number }>;

/**
 * Returns the bucket of a member for a flag, from 0 to 99. It is equal in every process. A member who is included at 10 %
 * is also included at 20 %.
 */
export function getRolloutBucket(flag: string, idpId: string): number {
  return createHash('sha256').update(`${flag}:${idpId}`).digest().readUInt32BE(0) % 100;
}

/** Maximum number of cached member settings. If there are more, each member is looked up. */
const MAX_CACHED_SETTINGS = 10_000;

/**
 * Creates the embedded source: two tables that are read completely and cached for `ttlMs` ms of the clock `now`. A
 * first evaluation of a member needs no statement. A statement per member took six times the CPU time.
 */
export function createDatabaseSource(
  sql: ServiceSql,
  { ttlMs, now }: { ttlMs: number; now: () => number },
): FlagSource {
  type Flag = { percentage: number; members: Map<string, boolean> };
  let cached: { flags: Map<string, Flag> | undefined; at: number } | undefined;
  let inFlight: Promise<NonNullable<typeof cached>> | undefined;

  const loadSettings = async (): Promise<NonNullable<typeof cached>> => {
    const at = now();
    const rows = await selectSettings(sql, MAX_CACHED_SETTINGS + 1);
    const flags = new Map<string, Flag>();
    for (const { flag, percentage, idp_id: member, enabled } of rows) {
      if (!flags.has(flag)) flags.set(flag, { percentage, members: new Map() });
      if (member !== null && enabled !== null) flags.get(flag)!.members.set(member, enabled);
    }
    cached = { flags: rows.length > MAX_CACHED_SETTINGS ? undefined : flags, at };
    return cached;
  };

  const readSettings = async (): Promise<NonNullable<typeof cached>> => {
    if (cached && now() - cached.at < ttlMs) return cached;
    inFlight ??= loadSettings().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  };

  return async (flag, idpId) => {
    const { flags, at } = await readSettings();
    if (flags) {
      const cachedFlag = flags.get(flag);
      return {
        on: cachedFlag && (cachedFlag.members.get(idpId) ?? getRolloutBucket(flag, idpId) < cachedFlag.percentage),
        at,
      };
    }
    const requestedAt = now();
    const [row] = await selectFlagFor(sql, flag, idpId);
    return { on: row && (row.enabled ?? getRolloutBucket(flag, idpId) < row.percentage), at: requestedAt };
  };
}

/** The PostHog service with the project's key and its timeout in ms. */
export interface FlagService {
  host: string;
  apiKey: string;
  timeout?: number;
}

/**
 * Creates a source for PostHog's `POST /flags`, which receives only the member's id. If the id may not be sent, the
 * source does not have the flag.
 */
export const createPostHogSource =
  (
    { host, apiKey, timeout = 3_000 }: FlagService,
    mayIdentify: (idpId: string) => Promise<boolean>,
    now: () => number,
  ): FlagSource =>
  async (flag, idpId) => {
    const at = now();
    if (!(await mayIdentify(idpId))) return { on: undefined, at };
    const response = await fetch(`${host.replace(/\/+$/, '')}/flags?v=2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey, distinct_id: idpId, geoip_disable: true, flag_keys_to_evaluate: [flag] }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error(`The flag service returned ${response.status}.`);
    const { flags } = (await response.json()) as { flags?: Record<string, { enabled?: boolean }> };
    return { on: flags && Object.hasOwn(flags, flag) ? flags[flag]?.enabled === true : undefined, at };
  };

let domainCount = 0;

/**
 * Opens an OpenFeature client over sources. The first source that has the flag decides. `flagMetadata.at` is the time
 * for which the value is valid. The SDK is loaded on demand, because loading takes 60 ms.
 */
export async function openFlagClient(sources: readonly FlagSource[]): Promise<Client> {
  const { OpenFeature, StandardResolutionReasons, TypeMismatchError } = await import('@openfeature/server-sdk');
  const rejectOtherType = () => Promise.reject(new TypeMismatchError('flags are on or off'));
  const provider: Provider = {
    metadata: { name: 'tally' },
    runsOn: 'server',
    async resolveBooleanEvaluation(flag, defaultValue, { targetingKey = '' }) {
      let at = Infinity;
      for (const source of sources) {
        const answer = await source(flag, targetingKey);
        at = Math.min(at, answer.at);
        if (answer.on !== undefined)
          return { value: answer.on, reason: StandardResolutionReasons.TARGETING_MATCH, flagMetadata: { at } };
      }
      return { value: defaultValue, reason: StandardResolutionReasons.DEFAULT, flagMetadata: { at } };
    },
    resolveStringEvaluation: rejectOtherType,
    resolveNumberEvaluation: rejectOtherType,
    resolveObjectEvaluation: rejectOtherType,
  };
  domainCount += 1;
  const domain = `tally-${domainCount}`;
  await OpenFeature.setProviderAndWait(domain, provider);
  return OpenFeature.getClient(domain);
}
