/** Counts events per key in a sliding minute; exact, in this process's memory. */
export interface RateLimiter {
  /** Takes one of the key's events; `retryAfter` in seconds where there is none left. */
  take(key: string): { ok: true } | { ok: false; retryAfter: number };
}

interface Window {
  /** Times of the last events, a ring once there are `limit` of them: most keys never take as many. */
  times: number[];
  next: number;
  /** When the newest event was, to drop windows that have run out. */
  newest: number;
}

const SWEEP_EVERY = 10_000;

/**
 * At most `limit` events per key in any `windowMs` milliseconds. Memory is bounded: windows that have run out are
 * swept, and past `maxKeys` the stalest goes first. `now` is a monotonic clock in milliseconds.
 */
export function createRateLimiter(options: {
  limit: number;
  windowMs?: number;
  maxKeys?: number;
  now?: () => number;
}): RateLimiter {
  const { limit, windowMs = 60_000, maxKeys = 100_000, now = () => performance.now() } = options;
  const windows = new Map<string, Window>();
  let taken = 0;

  const sweep = (at: number): void => {
    for (const [key, window] of windows) if (at - window.newest >= windowMs) windows.delete(key);
  };

  return {
    take(key) {
      const at = now();
      taken += 1;
      if (taken % SWEEP_EVERY === 0) sweep(at);
      let window = windows.get(key);
      if (!window) {
        window = { times: [], next: 0, newest: at };
      } else {
        windows.delete(key);
      }
      // Re-inserted at the end, so that the first key of the map is the one unused for longest.
      windows.set(key, window);
      if (windows.size > maxKeys) windows.delete(windows.keys().next().value!);
      const oldest = window.times[window.next];
      if (oldest !== undefined && at - oldest < windowMs)
        return { ok: false, retryAfter: (oldest + windowMs - at) / 1000 };
      window.times[window.next] = at;
      window.next = (window.next + 1) % limit;
      window.newest = at;
      return { ok: true };
    },
  };
}
