import type { UsageTier } from '../queries.ts';
import { type Decision, getLimit, listRates, type TierLimits, WINDOW_MS } from './rate-limit.ts';

/** Ring buffer with the exact times of one organization's requests within the window. Its size is the limit. */
class SlidingLog {
  private times: Float64Array;
  private oldestIndex = 0;
  private size = 0;

  constructor(limit: number) {
    this.times = new Float64Array(limit);
  }

  /** Records a request at the time `now` (monotonic ms) if the limit allows. Takes amortized constant time. */
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

  /** Returns the ms until the full limit is available. */
  msUntilAll(now: number): number {
    return this.times[this.newestIndex]! + WINDOW_MS - now;
  }

  /** Changes the limit. Recorded requests stay, and the newest ones are kept if there is less room. */
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

  /** Index of the newest request. It exists after the first `consume`. */
  private get newestIndex(): number {
    return (this.oldestIndex + this.size - 1) % this.times.length;
  }
}

const CLEANUP_INTERVAL_REQUESTS = 10_000;

/**
 * Creates limits of this process on its monotonic clock. They are exact: any 60 seconds hold at most the limit, and no
 * request is rejected while there is room.
 */
export function createMemoryLimits(limits: TierLimits, now: () => number = () => performance.now()) {
  const logs = new Map<string, SlidingLog>();
  let requestCount = 0;

  return {
    rates: listRates(limits),
    consume(organisation: string, tier: UsageTier): Decision | undefined {
      if (limits === 'off') return undefined;
      const timestamp = now();
      const limit = getLimit(limits, tier);
      requestCount += 1;
      if (requestCount % CLEANUP_INTERVAL_REQUESTS === 0)
        for (const [key, log] of logs) if (log.msUntilAll(timestamp) <= 0) logs.delete(key);
      let log = logs.get(organisation);
      if (log) {
        log.resize(limit);
      } else {
        log = new SlidingLog(limit);
        logs.set(organisation, log);
      }
      return log.consume(timestamp);
    },
  };
}
