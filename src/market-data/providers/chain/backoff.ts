/** Backoff in ms for a provider that limits the rate and sends no Retry-After. */
export const DEFAULT_BACKOFF_MS = 15_000;
/** Maximum backoff. It caps Retry-After, so that a wrong header does not disable a provider for a day. */
const MAX_BACKOFF_SECONDS = 3_600;

/** Holds back all calls to a provider that limited the rate. */
export interface Backoff {
  /**
   * Starts or extends the backoff and never shortens it. `retryAfter` is in seconds, or null if the provider sent none.
   */
  start(retryAfter: number | null): void;
  /** Returns the seconds until calls are allowed, or undefined if they are. */
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
