import type { UsageTier } from '../queries.ts';
import { type Decision, limitOf, type TierLimits, WINDOW_MS } from './rate-limit.ts';

/** The times of one organisation's requests within the last window, exactly: a ring of as many places as the limit. */
class SlidingLog {
  private times: Float64Array;
  private oldest = 0;
  private size = 0;

  constructor(limit: number) {
    this.times = new Float64Array(limit);
  }

  /** Takes a place at the time `now` (monotonic milliseconds), if there is one. Amortised constant time. */
  take(now: number): Decision {
    const limit = this.times.length;
    while (this.size > 0 && now - this.times[this.oldest]! >= WINDOW_MS) {
      this.oldest = (this.oldest + 1) % limit;
      this.size -= 1;
    }
    const allowed = this.size < limit;
    if (allowed) {
      this.size += 1;
      this.times[this.newest] = now;
    }
    const remaining = limit - this.size;
    const untilNext = remaining > 0 ? 0 : this.times[this.oldest]! + WINDOW_MS - now;
    return { allowed, limit, remaining, untilAll: this.untilAll(now), untilNext };
  }

  /** Milliseconds until every place is free again. */
  untilAll(now: number): number {
    return this.times[this.newest]! + WINDOW_MS - now;
  }

  /** Another limit from now on; what was taken stays taken, the newest first where there is less room. */
  resize(limit: number): void {
    if (limit === this.times.length) return;
    const kept = Math.min(this.size, limit);
    const times = new Float64Array(limit);
    for (let index = 0; index < kept; index += 1)
      times[index] = this.times[(this.oldest + this.size - kept + index) % this.times.length]!;
    this.times = times;
    this.oldest = 0;
    this.size = kept;
  }

  /** Place of the newest request; there is one from the first `take` on. */
  private get newest(): number {
    return (this.oldest + this.size - 1) % this.times.length;
  }
}

const SWEEP_EVERY = 10_000;

/** Limits of this process alone, on its monotonic clock. Exact: no 60 seconds hold more than the figure, and none is
 * refused while there is room. */
export function createMemoryLimits(limits: TierLimits, now: () => number = () => performance.now()) {
  const logs = new Map<string, SlidingLog>();
  let taken = 0;

  return {
    take(organisation: string, tier: UsageTier): Decision | undefined {
      if (limits === 'off') return undefined;
      const at = now();
      const limit = limitOf(limits, tier);
      taken += 1;
      if (taken % SWEEP_EVERY === 0) for (const [key, log] of logs) if (log.untilAll(at) <= 0) logs.delete(key);
      let log = logs.get(organisation);
      if (!log) logs.set(organisation, (log = new SlidingLog(limit)));
      else log.resize(limit);
      return log.take(at);
    },
  };
}
