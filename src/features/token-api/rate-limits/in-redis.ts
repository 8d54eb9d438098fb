import type { SharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';
import { createMemoryLimits } from './in-memory.ts';
import { getLimit, type RateLimits, type TierLimits, WINDOW_MS } from './rate-limit.ts';

/**
 * Creates limits that all processes with one Redis share. If Redis is unavailable, each process applies its local limit
 * and includes requests that it accepted before. So n processes accept at most n times the limit. `fallback` is called
 * for each request that was counted locally.
 */
export function createRedisLimits(
  limits: TierLimits,
  shared: Pick<SharedRateLimits, 'consume'>,
  onFallback: () => void,
): RateLimits {
  const local = createMemoryLimits(limits);
  if (limits === 'off') return local;
  return {
    rates: local.rates,
    consume(organisation, tier) {
      const countLocally = () => {
        onFallback();
        return local.consume(organisation, tier);
      };
      const sharedDecision = shared.consume(`count:${organisation}`, getLimit(limits, tier), WINDOW_MS);
      if (!sharedDecision) return countLocally();
      return sharedDecision.then((decision) => {
        if (!decision) return countLocally();
        // Record locally too, so that this process does not start at zero when Redis becomes unavailable.
        if (decision.allowed) local.consume(organisation, tier);
        return decision;
      });
    },
  };
}
