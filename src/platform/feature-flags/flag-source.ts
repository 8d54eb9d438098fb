import { createHash } from 'node:crypto';
import type { Client, Provider } from '@openfeature/server-sdk';
import type { ServiceSql } from '../database/roles.ts';
import { selectFlagFor, selectSettings } from './queries.ts';

/**
 * Whether a flag is on for a member, by one source: `on` is undefined where it has no such flag; `at` is the moment of
 * which the answer is true. Throws while the source is away.
 */
type AskFlag = (flag: string, idpId: string) => Promise<{ on: boolean | undefined; at: number }>;

/** A member's place from 0 to 99 for a flag: the same in every process, and one that is in at 10 % is in at 20 %. */
export function shareOf(flag: string, idpId: string): number {
  return createHash('sha256').update(`${flag}:${idpId}`).digest().readUInt32BE(0) % 100;
}

/** Settings of members that are kept in memory; with more, each member is looked up. */
const MOST_SETTINGS = 10_000;

/**
 * The embedded default: two tables, read whole and kept while they are fresh. A member who is asked about for the first
 * time costs no statement, which took six times as much processor time. An answer is
 * good for `freshFor` ms of the monotonic clock `now`.
 */
export function askDatabase(sql: ServiceSql, { freshFor, now }: { freshFor: number; now: () => number }): AskFlag {
  type Flag = { percentage: number; members: Map<string, boolean> };
  let known: { flags: Map<string, Flag> | undefined; at: number } | undefined;
  let reading: Promise<NonNullable<typeof known>> | undefined;

  const read = async (): Promise<NonNullable<typeof known>> => {
    const at = now();
    const rows = await selectSettings(sql, MOST_SETTINGS + 1);
    const flags = new Map<string, Flag>();
    for (const { flag, percentage, idp_id: member, enabled } of rows) {
      if (!flags.has(flag)) flags.set(flag, { percentage, members: new Map() });
      if (member !== null && enabled !== null) flags.get(flag)!.members.set(member, enabled);
    }
    return (known = { flags: rows.length > MOST_SETTINGS ? undefined : flags, at });
  };

  return async (flag, idpId) => {
    const isFresh = known !== undefined && now() - known.at < freshFor;
    const { flags, at } = isFresh ? known! : await (reading ??= read().finally(() => (reading = undefined)));
    if (flags) {
      const found = flags.get(flag);
      return { on: found && (found.members.get(idpId) ?? shareOf(flag, idpId) < found.percentage), at };
    }
    const asked = now();
    const [row] = await selectFlagFor(sql, flag, idpId);
    return { on: row && (row.enabled ?? shareOf(flag, idpId) < row.percentage), at: asked };
  };
}

/** PostHog, with the project's key; milliseconds that an answer may take. */
export interface FlagService {
  host: string;
  apiKey: string;
  timeout?: number;
}

/**
 * PostHog's `POST /flags`, which is told the member's id and nothing else; not that of a member who may not be named
 * there, for whom it has no flag.
 */
export const askPostHog =
  (
    { host, apiKey, timeout = 3_000 }: FlagService,
    mayName: (idpId: string) => Promise<boolean>,
    now: () => number,
  ): AskFlag =>
  async (flag, idpId) => {
    const at = now();
    if (!(await mayName(idpId))) return { on: undefined, at };
    const response = await fetch(`${host.replace(/\/+$/, '')}/flags?v=2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey, distinct_id: idpId, geoip_disable: true, flag_keys_to_evaluate: [flag] }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error(`The flag service answered ${response.status}.`);
    const { flags } = (await response.json()) as { flags?: Record<string, { enabled?: boolean }> };
    return { on: flags && Object.hasOwn(flags, flag) ? flags[flag]?.enabled === true : undefined, at };
  };

let domains = 0;

/**
 * A client of OpenFeature over sources, of which the first that has a flag answers; `flagMetadata.at` is the moment of
 * which the answer is true. The SDK is loaded here, with the
 * first question, since it takes 60 ms.
 */
export async function openFlagClient(sources: readonly AskFlag[]): Promise<Client> {
  const { OpenFeature, StandardResolutionReasons, TypeMismatchError } = await import('@openfeature/server-sdk');
  const isBoolean = () => Promise.reject(new TypeMismatchError('flags are on or off'));
  const provider: Provider = {
    metadata: { name: 'tally' },
    runsOn: 'server',
    async resolveBooleanEvaluation(flag, off, { targetingKey = '' }) {
      let at = Infinity;
      for (const ask of sources) {
        const answer = await ask(flag, targetingKey);
        at = Math.min(at, answer.at);
        if (answer.on !== undefined)
          return { value: answer.on, reason: StandardResolutionReasons.TARGETING_MATCH, flagMetadata: { at } };
      }
      return { value: off, reason: StandardResolutionReasons.DEFAULT, flagMetadata: { at } };
    },
    resolveStringEvaluation: isBoolean,
    resolveNumberEvaluation: isBoolean,
    resolveObjectEvaluation: isBoolean,
  };
  const domain = `tally-${(domains += 1)}`;
  await OpenFeature.setProviderAndWait(domain, provider);
  return OpenFeature.getClient(domain);
}
