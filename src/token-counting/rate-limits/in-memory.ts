import type { UsageTier } from '../queries.ts';
import type { Decision, RateLimits, TierLimits } from './rate-limit.ts';
import { limitOf, WINDOW_MS } from './rate-limit.ts';
import { SlidingLog } from './sliding-log.ts';

/** Limits that answer at once. */
interface MemoryLimits extends RateLimits {
  take(organisation: string, tier: UsageTier): Decision | undefined;
}

const SWEEP_EVERY = 10_000;

/** Limits of this process alone, on its monotonic clock. Exact: no 60 seconds hold more than the figure, and none is refused while there is room. */
export function createMemoryLimits(limits: TierLimits, now: () => number = () => performance.now()): MemoryLimits {
  const logs = new Map<string, SlidingLog>();
  let taken = 0;

  return {
    take(organisation, tier) {
      if (limits === 'off') return undefined;
      const at = now();
      const limit = limitOf(limits, tier);
      taken += 1;
      if (taken % SWEEP_EVERY === 0) for (const [key, log] of logs) if (log.isIdle(at)) logs.delete(key);
      let log = logs.get(organisation);
      if (!log) logs.set(organisation, (log = new SlidingLog(limit, WINDOW_MS)));
      if (log.limit !== limit) log.resize(limit);
      const allowed = log.take(at);
      return { allowed, limit, remaining: log.remaining, untilAll: log.untilAll(at), untilNext: log.untilNext(at) };
    },
    async close() {
      logs.clear();
    },
  };
}
