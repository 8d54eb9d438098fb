import { createHash } from 'node:crypto';
import type { Client, Provider } from '@openfeature/server-sdk';
import type { ServiceSql } from '../database/roles.ts';
import { selectFlagFor } from './queries.ts';

/** Whether a flag is on for a member, by one source; `undefined` where it has no such flag. Throws while it is away. */
type AskFlag = (flag: string, idpId: string) => Promise<boolean | undefined>;

/** A member's place from 0 to 99 for a flag: the same in every process, and one that is in at 10 % is in at 20 %. */
export function shareOf(flag: string, idpId: string): number {
  return createHash('sha256').update(`${flag}:${idpId}`).digest().readUInt32BE(0) % 100;
}

/** The embedded default: two tables. */
export const askDatabase =
  (sql: ServiceSql): AskFlag =>
  async (flag, idpId) => {
    const [row] = await selectFlagFor(sql, flag, idpId);
    return row && (row.enabled ?? shareOf(flag, idpId) < row.percentage);
  };

/** PostHog, with the project's key; milliseconds that an answer may take. */
export interface FlagService {
  host: string;
  apiKey: string;
  timeout?: number;
}

/** PostHog's `POST /flags`, which is told the member's id and nothing else. */
export const askPostHog =
  ({ host, apiKey, timeout = 3_000 }: FlagService): AskFlag =>
  async (flag, idpId) => {
    const response = await fetch(`${host.replace(/\/+$/, '')}/flags?v=2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey, distinct_id: idpId, geoip_disable: true, flag_keys_to_evaluate: [flag] }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error(`The flag service answered ${response.status}.`);
    const { flags } = (await response.json()) as { flags?: Record<string, { enabled?: boolean }> };
    return flags && Object.hasOwn(flags, flag) ? flags[flag]?.enabled === true : undefined;
  };

let domains = 0;

/**
 * A client of OpenFeature over sources, of which the first that has a flag answers. The SDK is loaded here, with the
 * first question, since it takes 60 ms.
 */
export async function openFlagClient(sources: readonly AskFlag[]): Promise<Client> {
  const { OpenFeature, StandardResolutionReasons, TypeMismatchError } = await import('@openfeature/server-sdk');
  const isBoolean = () => Promise.reject(new TypeMismatchError('flags are on or off'));
  const provider: Provider = {
    metadata: { name: 'tally' },
    runsOn: 'server',
    async resolveBooleanEvaluation(flag, off, { targetingKey = '' }) {
      for (const ask of sources) {
        const value = await ask(flag, targetingKey);
        if (value !== undefined) return { value, reason: StandardResolutionReasons.TARGETING_MATCH };
      }
      return { value: off, reason: StandardResolutionReasons.DEFAULT };
    },
    resolveStringEvaluation: isBoolean,
    resolveNumberEvaluation: isBoolean,
    resolveObjectEvaluation: isBoolean,
  };
  const domain = `tally-${(domains += 1)}`;
  await OpenFeature.setProviderAndWait(domain, provider);
  return OpenFeature.getClient(domain);
}
