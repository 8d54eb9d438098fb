import type { SharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';
import { createMemoryLimits } from './in-memory.ts';
import { getLimit, type RateLimits, type TierLimits, WINDOW_MS } from './rate-limit.ts';

/**
 * Limits shared by all processes that use the same Redis. While it is away each process goes on with the same figures
 * of its own, counting what it let through before as well: the service stays up, and n processes let through at most n
 * times the figure. `fallback` is told of each request that was counted here.
 */
export function createRedisLimits(
  limits: TierLimits,
  shared: Pick<SharedRateLimits, 'consume'>,
  onFallback: () => void,
): RateLimits {
  const local = createMemoryLimits(limits);
  if (limits === 'off') return local;
  return {
    consume(organisation, tier) {
      const countLocally = () => {
        onFallback();
        return local.consume(organisation, tier);
      };
      const sharedDecision = shared.consume(`count:${organisation}`, getLimit(limits, tier), WINDOW_MS);
      if (!sharedDecision) return countLocally();
      return sharedDecision.then((decision) => {
        if (!decision) return countLocally();
        // Kept here too, so that this process does not start at zero when Redis goes away.
        if (decision.allowed) local.consume(organisation, tier);
        return decision;
      });
    },
  };
}
