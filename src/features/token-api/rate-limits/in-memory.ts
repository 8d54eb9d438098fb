import type { UsageTier } from '../queries.ts';
import { type Decision, getLimit, type TierLimits, WINDOW_MS } from './rate-limit.ts';

/** The times of one organisation's requests within the last window, exactly: a ring of as many places as the limit. */
class SlidingLog {
  private times: Float64Array;
  private oldestIndex = 0;
  private size = 0;

  constructor(limit: number) {
    this.times = new Float64Array(limit);
  }

  /** Takes a place at the time `now` (monotonic milliseconds), if there is one. Amortised constant time. */
  consume(now: number): Decision {
    const limit = this.times.length;
    while (this.size > 0 && now - this.times[this.oldestIndex]! >= WINDOW_MS) {
      this.oldestIndex = (this.oldestIndex + 1) % limit;
      this.size -= 1;
    }
    const allowed = this.size < limit;
    if (allowed) {
      this.size += 1;
      this.times[this.newestIndex] = now;
    }
    const remaining = limit - this.size;
    const msUntilNext = remaining > 0 ? 0 : this.times[this.oldestIndex]! + WINDOW_MS - now;
    return { allowed, limit, remaining, msUntilReset: this.msUntilAll(now), msUntilNext };
  }

  /** Milliseconds until every place is free again. */
  msUntilAll(now: number): number {
    return this.times[this.newestIndex]! + WINDOW_MS - now;
  }

  /** Another limit from now on; what was taken stays taken, the newest first where there is less room. */
  resize(limit: number): void {
    if (limit === this.times.length) return;
    const retained = Math.min(this.size, limit);
    const times = new Float64Array(limit);
    for (let index = 0; index < retained; index += 1)
      times[index] = this.times[(this.oldestIndex + this.size - retained + index) % this.times.length]!;
    this.times = times;
    this.oldestIndex = 0;
    this.size = retained;
  }

  /** Place of the newest request; there is one from the first `take` on. */
  private get newestIndex(): number {
    return (this.oldestIndex + this.size - 1) % this.times.length;
  }
}

const CLEANUP_INTERVAL_REQUESTS = 10_000;

/** Limits of this process alone, on its monotonic clock. Exact: no 60 seconds hold more than the figure, and none is
 * refused while there is room. */
export function createMemoryLimits(limits: TierLimits, now: () => number = () => performance.now()) {
  const logs = new Map<string, SlidingLog>();
  let requestCount = 0;

  return {
    consume(organisation: string, tier: UsageTier): Decision | undefined {
      if (limits === 'off') return undefined;
      const timestamp = now();
      const limit = getLimit(limits, tier);
      requestCount += 1;
      if (requestCount % CLEANUP_INTERVAL_REQUESTS === 0)
        for (const [key, log] of logs) if (log.msUntilAll(timestamp) <= 0) logs.delete(key);
      let log = logs.get(organisation);
      if (!log) logs.set(organisation, (log = new SlidingLog(limit)));
      else log.resize(limit);
      return log.consume(timestamp);
    },
  };
}
