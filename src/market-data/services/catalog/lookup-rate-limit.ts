import { createRateLimiter, type RateLimiter } from '../../../platform/http/rate-limit.ts';
import { isNeverListed } from '../../domain/normalize-symbol.ts';

/** Maximum number of unknown symbols that one member may look up per minute. All members share the calls. */
export const MAX_LOOKUPS_PER_MINUTE = 60;
/**
 * TTL in ms of an answered look-up. It is slightly shorter than the ten minutes of the registration cache, so a
 * repetition costs no call.
 */
const CACHE_TTL_MS = 9 * 60_000;
const MAX_CACHED_SYMBOLS = 2_000;

export interface LookupRateLimited {
  ok: false;
  reason: 'rate_limited';
  /** Seconds until the member may look up another symbol. */
  retryAfter: number;
}

/** Looks up an unknown symbol unless the member has reached the limit of this minute. */
export type RateLimitedLookup = <A extends { ok: true } | { ok: false; reason: string }>(
  idpId: string,
  symbol: string,
  lookUp: (symbol: string) => Promise<A>,
) => Promise<A | LookupRateLimited>;

/**
 * Limits look-ups per member, by default within this process. Only look-ups that may call a provider count. Cached
 * answers do not count, so that an import can reuse the results of its dry run.
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
