/** At most `limit` events of a key in any `windowMs` milliseconds. */
export interface Rate {
  limit: number;
  windowMs: number;
}

/** State of a key after an event: remaining events, and seconds until the full limit is available again. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  resetAfter: number;
}

/** `retryAfter` is in seconds. `state` is absent if there is no limit. */
export type RateLimitResult = ({ ok: true } | { ok: false; retryAfter: number }) & { state?: RateLimitState };

/**
 * Counts events per key exactly, in a sliding window. Returns a promise only if other processes count too. Never
 * rejects.
 */
export interface RateLimiter {
  /** Rate that the limiter allows. A limiter without one allows everything. */
  readonly rate?: Rate;
  /** Consumes one event of the key. */
  consume(key: string): RateLimitResult | Promise<RateLimitResult>;
}

/** A limiter whose events can be checked before they happen and can be reset, for example failed attempts. */
export interface FailureLimiter extends RateLimiter {
  /** Returns the result of `consume` without consuming an event. */
  peek(key: string): RateLimitResult | Promise<RateLimitResult>;
  /** Resets the count of the key. */
  reset(key: string): void | Promise<void>;
}

/** A synchronous limiter in the memory of this process. */
interface LocalLimiter extends FailureLimiter {
  consume(key: string): RateLimitResult;
  peek(key: string): RateLimitResult;
  reset(key: string): void;
}

interface SlidingWindow {
  /** Times of the last events. The array becomes a ring at `limit` entries, because most keys never reach the limit. */
  times: number[];
  nextIndex: number;
  /** Time of the newest event, for the removal of expired windows. */
  newestAt: number;
}

const CLEANUP_INTERVAL_CALLS = 10_000;

/**
 * Creates a limiter that allows at most `limit` events per key in any `windowMs` milliseconds. Memory is bounded:
 * expired windows are purged, and beyond `maxKeys` the least recently used key is evicted. `now` is a monotonic clock
 * in ms.
 */
export function createRateLimiter(options: {
  limit: number;
  windowMs?: number;
  maxKeys?: number;
  now?: () => number;
}): LocalLimiter {
  const { limit, windowMs = 60_000, maxKeys = 100_000, now = () => performance.now() } = options;
  const windows = new Map<string, SlidingWindow>();
  let consumeCalls = 0;

  const removeExpiredWindows = (atMs: number): void => {
    for (const [key, window] of windows) if (atMs - window.newestAt >= windowMs) windows.delete(key);
  };

  /** Counts from the newest event backwards. `nextIndex` follows the newest event and wraps around at the limit. */
  const getState = ({ times, nextIndex, newestAt }: SlidingWindow, atMs: number): RateLimitState => {
    let usedCount = 0;
    while (usedCount < times.length && atMs - times[(nextIndex - 1 - usedCount + limit) % limit]! < windowMs)
      usedCount += 1;
    return { limit, remaining: limit - usedCount, resetAfter: (windowMs - (atMs - newestAt)) / 1000 };
  };

  const getRejection = (window: SlidingWindow, atMs: number): RateLimitResult | undefined => {
    const oldest = window.times[window.nextIndex];
    if (oldest === undefined || atMs - oldest >= windowMs) return undefined;
    return { ok: false, retryAfter: (windowMs - (atMs - oldest)) / 1000, state: getState(window, atMs) };
  };

  return {
    rate: { limit, windowMs },
    peek(key) {
      const window = windows.get(key);
      return (window && getRejection(window, now())) ?? { ok: true };
    },
    reset: (key) => {
      windows.delete(key);
    },
    consume(key) {
      const atMs = now();
      consumeCalls += 1;
      if (consumeCalls % CLEANUP_INTERVAL_CALLS === 0) removeExpiredWindows(atMs);
      let window = windows.get(key);
      if (!window) {
        window = { times: [], nextIndex: 0, newestAt: atMs };
      } else {
        windows.delete(key);
      }
      // Reinsert at the end, so that the first key of the map is the least recently used one.
      windows.set(key, window);
      if (windows.size > maxKeys) windows.delete(windows.keys().next().value!);
      const rejection = getRejection(window, atMs);
      if (rejection) return rejection;
      window.times[window.nextIndex] = atMs;
      window.nextIndex = (window.nextIndex + 1) % limit;
      window.newestAt = atMs;
      return { ok: true, state: getState(window, atMs) };
    },
  };
}
