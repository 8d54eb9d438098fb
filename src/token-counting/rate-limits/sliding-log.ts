/** The times of one organisation's requests within the last window, exactly: a ring of as many places as the limit. */
export class SlidingLog {
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
