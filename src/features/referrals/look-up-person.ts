import { createRateLimiter, type RateLimiter } from '../../platform/http/rate-limit.ts';
import type { ProviderClient } from '../../platform/identity/provider-client.ts';

/** Person at the provider. `ref` is the value in their metadata. `unavailable`: retry later. */
type Person = { found: 'yes'; createdAt: Date; ref: unknown } | { found: 'no' } | { found: 'unavailable' };

export type LookUpPerson = (idpId: string) => Promise<Person>;

interface LookupOptions {
  /** Requests to the provider per minute, if this process counts them. */
  maxPerMinute?: number;
  /** Counts the requests (default: this process). */
  limiter?: RateLimiter;
  /** Time in ms for which an unknown person is cached. */
  unknownTtlMs?: number;
  /** Monotonic clock in ms. */
  now?: () => number;
}

/** Requests to the provider per minute. */
export const MAX_LOOKUPS_PER_MINUTE = 120;

const MAX_CACHED_UNKNOWN = 10_000;

/**
 * Creates a look-up of people at the provider with one concurrent request per person, a budget, and a cache of unknown
 * people, so that made-up identifiers cause no load on the provider. Over the budget the provider counts as
 * unavailable.
 */
export function createPersonLookup(client: Pick<ProviderClient, 'getUser'>, options: LookupOptions = {}): LookUpPerson {
  const { maxPerMinute = MAX_LOOKUPS_PER_MINUTE, unknownTtlMs = 600_000, now = () => performance.now() } = options;
  const { limiter = createRateLimiter({ limit: maxPerMinute, now }) } = options;
  const inFlight = new Map<string, Promise<Person>>();
  const unknownUntil = new Map<string, number>();

  const fetchPerson = async (idpId: string): Promise<Person> => {
    if (!(await limiter.consume('provider')).ok) return { found: 'unavailable' };
    const response = await client.getUser(idpId);
    if (response.ok) {
      const { created_at, unsafe_metadata } = response.value;
      return { found: 'yes', createdAt: new Date(created_at), ref: unsafe_metadata?.ref };
    }
    if (response.reason !== 'not_found') return { found: 'unavailable' };
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
