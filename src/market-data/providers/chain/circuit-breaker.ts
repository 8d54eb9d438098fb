/** Timeouts in a row that open the breaker. */
export const FAILURE_THRESHOLD = 3;
export const OPEN_STATE_MS = 30_000;

export type CallOutcome = 'answered' | 'timed-out';

/** Skips a provider that times out again and again, so that members do not wait for each of its timeouts. */
export interface CircuitBreaker {
  isOpen(): boolean;
  /** Records how a call ended; true where that opened the breaker. */
  record(outcome: CallOutcome): boolean;
}

/** Once the open state has passed, the next call is tried; one more timeout opens the breaker again. */
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
