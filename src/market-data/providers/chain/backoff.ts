/** Milliseconds without calls to a provider that limits our rate and sends no Retry-After. */
export const DEFAULT_BACKOFF_MS = 15_000;
/** A longer Retry-After is cut, so that a wrong one does not switch a provider off for a day. */
const MAX_BACKOFF_SECONDS = 3_600;

/** Holds back all calls to a provider that limited our rate. */
export interface Backoff {
  /** Never shortens a wait. `retryAfter`: seconds as the provider said, or null. */
  start(retryAfter: number | null): void;
  /** Seconds until calls are allowed; `undefined` where they are. */
  remainingSeconds(): number | undefined;
}

export function createBackoff(clock: () => number): Backoff {
  let blockedUntil = 0;
  return {
    start(retryAfter) {
      const wait = retryAfter === null ? DEFAULT_BACKOFF_MS : Math.min(retryAfter, MAX_BACKOFF_SECONDS) * 1_000;
      blockedUntil = Math.max(blockedUntil, clock() + wait);
    },
    remainingSeconds: () => (blockedUntil > clock() ? Math.ceil((blockedUntil - clock()) / 1_000) : undefined),
  };
}
