import { createRateLimiter, type RateLimiter } from '../../platform/http/rate-limit.ts';
import type { ProviderClient } from '../../platform/identity/provider-client.ts';

/** A person as the provider knows them, `ref` being what their metadata holds; `away`: ask again later. */
type Person = { found: 'yes'; createdAt: Date; ref: unknown } | { found: 'no' } | { found: 'away' };

export type LookUpPerson = (idpId: string) => Promise<Person>;

interface LookupOptions {
  /** Questions to the provider in any minute, where this process counts them. */
  maxPerMinute?: number;
  /** Counts the questions (default: this process). */
  limiter?: RateLimiter;
  /** Milliseconds for which "no such person" is remembered. */
  unknownTtlMs?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** Questions to the provider in any minute. */
export const MAX_LOOKUPS_PER_MINUTE = 120;

const MAX_CACHED_UNKNOWN = 10_000;

/**
 * Asks the provider for a person: once at a time for each, within a budget, and not again for a while where there is
 * none, so that made-up identifiers do not become load on it. Over the budget it counts as away.
 */
export function createPersonLookup(client: Pick<ProviderClient, 'getUser'>, options: LookupOptions = {}): LookUpPerson {
  const { maxPerMinute = MAX_LOOKUPS_PER_MINUTE, unknownTtlMs = 600_000, now = () => performance.now() } = options;
  const { limiter = createRateLimiter({ limit: maxPerMinute, now }) } = options;
  const inFlight = new Map<string, Promise<Person>>();
  const unknownUntil = new Map<string, number>();

  const fetchPerson = async (idpId: string): Promise<Person> => {
    if (!(await limiter.consume('provider')).ok) return { found: 'away' };
    const response = await client.getUser(idpId);
    if (response.ok) {
      const { created_at, unsafe_metadata } = response.value;
      return { found: 'yes', createdAt: new Date(created_at), ref: unsafe_metadata?.ref };
    }
    if (response.reason !== 'not_found') return { found: 'away' };
    unknownUntil.delete(idpId);
    if (unknownUntil.size >= MAX_CACHED_UNKNOWN) unknownUntil.delete(unknownUntil.keys().next().value!);
    unknownUntil.set(idpId, now() + unknownTtlMs);
    return { found: 'no' };
  };

  return (idpId) => {
    if ((unknownUntil.get(idpId) ?? 0) > now()) return Promise.resolve({ found: 'no' });
    const request = inFlight.get(idpId) ?? fetchPerson(idpId).finally(() => inFlight.delete(idpId));
    inFlight.set(idpId, request);
    return request;
  };
}
