/** Where a key stands after an event: what is left, and seconds until all of it is free again. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  resetAfter: number;
}

/** `retryAfter` in seconds where there is none left; where a limit is none, nothing stands. */
export type RateLimitResult = ({ ok: true } | { ok: false; retryAfter: number }) & { state?: RateLimitState };

/** Counts events per key in a sliding window; exact. A promise only where other processes count too; never rejects. */
export interface RateLimiter {
  /** Takes one of the key's events. */
  consume(key: string): RateLimitResult | Promise<RateLimitResult>;
}

/** One whose events are looked at before they happen, and may be forgiven: failures, say. */
export interface FailureLimiter extends RateLimiter {
  /** What `take` would answer, without taking one. */
  peek(key: string): RateLimitResult | Promise<RateLimitResult>;
  /** Begins the key's count anew. */
  reset(key: string): void | Promise<void>;
}

/** The same in this process's memory, at once. */
interface LocalLimiter extends FailureLimiter {
  consume(key: string): RateLimitResult;
  peek(key: string): RateLimitResult;
  reset(key: string): void;
}

interface SlidingWindow {
  /** Times of the last events, a ring once there are `limit` of them: most keys never take as many. */
  times: number[];
  nextIndex: number;
  /** When the newest event was, to drop windows that have run out. */
  newestAt: number;
}

const CLEANUP_INTERVAL_CALLS = 10_000;

/**
 * At most `limit` events per key in any `windowMs` milliseconds. Memory is bounded: windows that have run out are
 * swept, and past `maxKeys` the stalest goes first. `now` is a monotonic clock in milliseconds.
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

  /** Counted from the newest event backwards: `next` is behind it, and begins anew at the limit. */
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
    peek(key) {
      const window = windows.get(key);
      return (window && getRejection(window, now())) ?? { ok: true };
    },
    reset: (key) => void windows.delete(key),
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
      // Re-inserted at the end, so that the first key of the map is the one unused for longest.
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
