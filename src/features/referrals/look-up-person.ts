import { createRateLimiter, type RateLimiter } from '../../platform/http/rate-limit.ts';
import type { ProviderClient } from '../../platform/identity/provider-client.ts';

/** A person as the provider knows them, `ref` being what their metadata holds; `away`: ask again later. */
type Person = { found: 'yes'; createdAt: Date; ref: unknown } | { found: 'no' } | { found: 'away' };

export type LookUpPerson = (idpId: string) => Promise<Person>;

interface LookUpOptions {
  /** Questions to the provider in any minute, where this process counts them. */
  perMinute?: number;
  /** Counts the questions (default: this process). */
  budget?: RateLimiter;
  /** Milliseconds for which "no such person" is remembered. */
  remember?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** Questions to the provider in any minute. */
export const LOOK_UPS_A_MINUTE = 120;

const MOST_REMEMBERED = 10_000;

/**
 * Asks the provider for a person: once at a time for each, within a budget, and not again for a while where there is
 * none, so that made-up identifiers do not become load on it. Over the budget it counts as away.
 */
export function createLookUp(client: Pick<ProviderClient, 'getUser'>, options: LookUpOptions = {}): LookUpPerson {
  const { perMinute = LOOK_UPS_A_MINUTE, remember = 600_000, now = () => performance.now() } = options;
  const { budget = createRateLimiter({ limit: perMinute, now }) } = options;
  const inFlight = new Map<string, Promise<Person>>();
  const unknownUntil = new Map<string, number>();

  const ask = async (idpId: string): Promise<Person> => {
    if (!(await budget.take('provider')).ok) return { found: 'away' };
    const answer = await client.getUser(idpId);
    if (answer.ok) {
      const { created_at, unsafe_metadata } = answer.value;
      return { found: 'yes', createdAt: new Date(created_at), ref: unsafe_metadata?.ref };
    }
    if (answer.reason !== 'not_found') return { found: 'away' };
    unknownUntil.delete(idpId);
    if (unknownUntil.size >= MOST_REMEMBERED) unknownUntil.delete(unknownUntil.keys().next().value!);
    unknownUntil.set(idpId, now() + remember);
    return { found: 'no' };
  };

  return (idpId) => {
    if ((unknownUntil.get(idpId) ?? 0) > now()) return Promise.resolve({ found: 'no' });
    const asked = inFlight.get(idpId) ?? ask(idpId).finally(() => inFlight.delete(idpId));
    inFlight.set(idpId, asked);
    return asked;
  };
}
