/**
 * The work's result, or `otherwise`'s after the timeout; the work then goes on, and may fail without notice. Rejects as
 * the work does in time, or as `otherwise` throws.
 */
export async function within<T, U>(milliseconds: number, work: Promise<T>, otherwise: () => U): Promise<T | U> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(resolve, milliseconds, LATE);
  try {
    const first = await Promise.race([work, late]);
    return first === LATE ? otherwise() : first;
  } finally {
    clearTimeout(timer);
  }
}

const LATE = Symbol('late');
