/** Where a key stands after an event: what is left, and seconds until all of it is free again. */
export interface Standing {
  limit: number;
  remaining: number;
  resetAfter: number;
}

/** `retryAfter` in seconds where there is none left; where a limit is none, nothing stands. */
export type Taken = ({ ok: true } | { ok: false; retryAfter: number }) & { standing?: Standing };

/** Counts events per key in a sliding window; exact. A promise only where other processes count too; never rejects. */
export interface RateLimiter {
  /** Takes one of the key's events. */
  take(key: string): Taken | Promise<Taken>;
}

/** One whose events are looked at before they happen, and may be forgiven: failures, say. */
export interface FailureLimiter extends RateLimiter {
  /** What `take` would answer, without taking one. */
  look(key: string): Taken | Promise<Taken>;
  /** Begins the key's count anew. */
  forget(key: string): void | Promise<void>;
}

/** The same in this process's memory, at once. */
interface LocalLimiter extends FailureLimiter {
  take(key: string): Taken;
  look(key: string): Taken;
  forget(key: string): void;
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
}): LocalLimiter {
  const { limit, windowMs = 60_000, maxKeys = 100_000, now = () => performance.now() } = options;
  const windows = new Map<string, Window>();
  let taken = 0;

  const sweep = (at: number): void => {
    for (const [key, window] of windows) if (at - window.newest >= windowMs) windows.delete(key);
  };

  /** Counted from the newest event backwards: `next` is behind it, and begins anew at the limit. */
  const standingOf = ({ times, next, newest }: Window, at: number): Standing => {
    let used = 0;
    while (used < times.length && at - times[(next - 1 - used + limit) % limit]! < windowMs) used += 1;
    return { limit, remaining: limit - used, resetAfter: (windowMs - (at - newest)) / 1000 };
  };

  const refusalOf = (window: Window, at: number): Taken | undefined => {
    const oldest = window.times[window.next];
    if (oldest === undefined || at - oldest >= windowMs) return undefined;
    return { ok: false, retryAfter: (windowMs - (at - oldest)) / 1000, standing: standingOf(window, at) };
  };

  return {
    look(key) {
      const window = windows.get(key);
      return (window && refusalOf(window, now())) ?? { ok: true };
    },
    forget: (key) => void windows.delete(key),
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
      const refusal = refusalOf(window, at);
      if (refusal) return refusal;
      window.times[window.next] = at;
      window.next = (window.next + 1) % limit;
      window.newest = at;
      return { ok: true, standing: standingOf(window, at) };
    },
  };
}
