/**
 * The work's result, or `otherwise`'s after the timeout; the work then goes on, and may fail without notice. Rejects as
 * the work does in time, or as `otherwise` throws.
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
