import type { SharedLimits } from '../../../platform/http/shared-limits.ts';
import { createMemoryLimits } from './in-memory.ts';
import { limitOf, type RateLimits, type TierLimits, WINDOW_MS } from './rate-limit.ts';

/**
 * Limits shared by all processes that use the same Redis. While it is away each process goes on with the same figures
 * of its own, counting what it let through before as well: the service stays up, and n processes let through at most n
 * times the figure. `fallback` is told of each request that was counted here.
 */
export function createRedisLimits(
  limits: TierLimits,
  shared: Pick<SharedLimits, 'take'>,
  fallback: () => void,
): RateLimits {
  const local = createMemoryLimits(limits);
  if (limits === 'off') return local;
  return {
    take(organisation, tier) {
      const here = () => {
        fallback();
        return local.take(organisation, tier);
      };
      const asked = shared.take(`count:${organisation}`, limitOf(limits, tier), WINDOW_MS);
      if (!asked) return here();
      return asked.then((decision) => {
        if (!decision) return here();
        // Kept here too, so that this process does not start at zero when Redis goes away.
        if (decision.allowed) local.take(organisation, tier);
        return decision;
      });
    },
  };
}
