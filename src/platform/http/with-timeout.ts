/**
 * Returns the result of the work, or of `onTimeout` after the timeout. The work then continues, and its rejection is
 * ignored. Rejects if the work rejects in time or `onTimeout` throws.
 */
export async function withTimeout<T, U>(timeoutMs: number, work: Promise<T>, onTimeout: () => U): Promise<T | U> {
  const { promise: timeout, resolve } = Promise.withResolvers<typeof TIMED_OUT>();
  const timer = setTimeout(resolve, timeoutMs, TIMED_OUT);
  try {
    const winner = await Promise.race([work, timeout]);
    return winner === TIMED_OUT ? onTimeout() : winner;
  } finally {
    clearTimeout(timer);
  }
}

const TIMED_OUT = Symbol('late');
