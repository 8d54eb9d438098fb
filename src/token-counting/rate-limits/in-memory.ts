import type { UsageTier } from '../queries.ts';
import { type Decision, limitOf, type RateLimits, type TierLimits, WINDOW_MS } from './rate-limit.ts';

/** The times of one organisation's requests within the last window, exactly: a ring of as many places as the limit. */
class SlidingLog {
  private times: Float64Array;
  private oldest = 0;
  private size = 0;
  private readonly windowMs: number;

  constructor(limit: number, windowMs: number) {
    this.times = new Float64Array(limit);
    this.windowMs = windowMs;
  }

  get limit(): number {
    return this.times.length;
  }

  /** Takes a place at the time `now` (monotonic milliseconds), if there is one. Amortised constant time. */
  take(now: number): boolean {
    this.forget(now);
    if (this.size === this.times.length) return false;
    this.times[(this.oldest + this.size) % this.times.length] = now;
    this.size += 1;
    return true;
  }

  /** Places left, as of the last `take`. */
  get remaining(): number {
    return this.times.length - this.size;
  }

  /** Milliseconds until the next place is free; 0 when one is. */
  untilNext(now: number): number {
    return this.remaining > 0 ? 0 : this.times[this.oldest]! + this.windowMs - now;
  }

  /** Milliseconds until every place is free again. */
  untilAll(now: number): number {
    if (this.size === 0) return 0;
    return this.times[(this.oldest + this.size - 1) % this.times.length]! + this.windowMs - now;
  }

  /** Another limit from now on; what was taken stays taken, the newest first where there is less room. */
  resize(limit: number): void {
    const kept = Math.min(this.size, limit);
    const times = new Float64Array(limit);
    for (let index = 0; index < kept; index += 1)
      times[index] = this.times[(this.oldest + this.size - kept + index) % this.times.length]!;
    this.times = times;
    this.oldest = 0;
    this.size = kept;
  }

  /** Whether everything has run out, so that the log can be dropped. */
  isIdle(now: number): boolean {
    return this.untilAll(now) <= 0;
  }

  private forget(now: number): void {
    while (this.size > 0 && now - this.times[this.oldest]! >= this.windowMs) {
      this.oldest = (this.oldest + 1) % this.times.length;
      this.size -= 1;
    }
  }
}

/** Limits that answer at once. */
interface MemoryLimits extends RateLimits {
  take(organisation: string, tier: UsageTier): Decision | undefined;
}

const SWEEP_EVERY = 10_000;

/** Limits of this process alone, on its monotonic clock. Exact: no 60 seconds hold more than the figure, and none is
 * refused while there is room. */
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
