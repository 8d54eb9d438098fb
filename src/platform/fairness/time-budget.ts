import type { FailureLimiter, RateLimitResult } from '../http/rate-limit.ts';

/** Unit of time in ms that is counted. */
export const UNIT_MS = 50;
const MAX_CARRIED_OWNERS = 10_000;

/** Limits each owner to a number of seconds of work in any 60 seconds. */
export interface TimeBudget {
  /** Returns whether the owner has time left, and if not, the seconds to wait. */
  check(owner: string): RateLimitResult | Promise<RateLimitResult>;
  /** Charges the time that work took. A rest shorter than a unit is carried to the owner's next work. */
  charge(owner: string, milliseconds: number): Promise<void>;
  /** Charges the whole budget, for work that timed out. */
  exhaust(owner: string): Promise<void>;
}

/** Creates the budget over a limiter, which may be shared with other processes. */
export function createTimeBudget(options: {
  name: string;
  seconds: number;
  createLimiter: (options: { name: string; limit: number }) => FailureLimiter;
}): TimeBudget {
  const units = (options.seconds * 1_000) / UNIT_MS;
  const limiter = options.createLimiter({ name: options.name, limit: units });
  const carriedMs = new Map<string, number>();
  const consumeUnits = async (owner: string, count: number): Promise<void> => {
    await Promise.all(Array.from({ length: Math.min(count, units) }, async () => limiter.consume(owner)));
  };
  return {
    check: (owner) => limiter.peek(owner),
    async charge(owner, milliseconds) {
      const total = (carriedMs.get(owner) ?? 0) + milliseconds;
      carriedMs.set(owner, total % UNIT_MS);
      if (carriedMs.size > MAX_CARRIED_OWNERS) carriedMs.clear();
      await consumeUnits(owner, Math.floor(total / UNIT_MS));
    },
    exhaust: (owner) => consumeUnits(owner, units),
  };
}
