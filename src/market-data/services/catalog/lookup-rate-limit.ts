import { createRateLimiter, type RateLimiter } from '../../../platform/http/rate-limit.ts';
import { isNeverListed } from '../../domain/normalise-symbol.ts';

/** Unknown symbols that one member may have looked up in a minute: all members share the calls that they cost. */
export const MAX_LOOKUPS_PER_MINUTE = 60;
/** Repeating an answered look-up costs no call; a little less than the ten minutes of the registration's cache. */
const CACHE_TTL_MS = 9 * 60_000;
const MAX_CACHED_SYMBOLS = 2_000;

export interface LookupRateLimited {
  ok: false;
  reason: 'rate_limited';
  /** Seconds after which the member may have one more. */
  retryAfter: number;
}

/** Looks an unknown symbol up, unless the member has reached the limit of this minute. */
export type RateLimitedLookup = <A extends { ok: true } | { ok: false; reason: string }>(
  idpId: string,
  symbol: string,
  lookUp: (symbol: string) => Promise<A>,
) => Promise<A | LookupRateLimited>;

/**
 * Limits look-ups per member, of this process where no `limiter` says otherwise.
 * Only those that may call a provider count: not what was answered lately, so
 * that an import may use what its dry run has looked up, and not what no provider is asked about.
 */
export function createLookupRateLimiter(
  clock: () => number = () => performance.now(),
  limiter: RateLimiter = createRateLimiter({ limit: MAX_LOOKUPS_PER_MINUTE, now: clock }),
): RateLimitedLookup {
  const cachedUntil = new Map<string, number>();

  return async (idpId, symbol, lookUp) => {
    if (isNeverListed(symbol) || (cachedUntil.get(symbol) ?? 0) > clock()) return lookUp(symbol);
    const rateLimit = await limiter.consume(idpId);
    if (!rateLimit.ok) return { ok: false, reason: 'rate_limited', retryAfter: rateLimit.retryAfter };
    const answer = await lookUp(symbol);
    if (answer.ok || answer.reason !== 'unavailable') {
      if (cachedUntil.size >= MAX_CACHED_SYMBOLS) cachedUntil.delete(cachedUntil.keys().next().value!);
      cachedUntil.set(symbol, clock() + CACHE_TTL_MS);
    }
    return answer;
  };
}
