/** Number of consecutive timeouts that opens the breaker. */
export const FAILURE_THRESHOLD = 3;
export const OPEN_STATE_MS = 30_000;

export type CallOutcome = 'answered' | 'timed-out';

/** Skips a provider after repeated timeouts, so that members do not wait for each one. */
export interface CircuitBreaker {
  isOpen(): boolean;
  /** Records the outcome of a call. Returns true if the outcome opened the breaker. */
  record(outcome: CallOutcome): boolean;
}

/**
 * Creates a breaker. After the open state the next call probes the provider (half-open), and another timeout opens the
 * breaker again.
 */
export function createCircuitBreaker(clock: () => number): CircuitBreaker {
  let timeoutsInARow = 0;
  let openUntil = 0;
  return {
    isOpen: () => openUntil > clock(),
    record(outcome) {
      timeoutsInARow = outcome === 'timed-out' ? timeoutsInARow + 1 : 0;
      const opens = timeoutsInARow >= FAILURE_THRESHOLD;
      openUntil = opens ? clock() + OPEN_STATE_MS : 0;
      return opens;
    },
  };
}
