import { AppError } from '../../errors.ts';

/** Runs work under the limit of its key. Throws UNAVAILABLE if no permit is free in time. */
type KeyedSemaphore = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Creates a semaphore with `maxConcurrent` permits for each key, first come, first served. A waiting call holds no
 * connection. Otherwise a member whose statements wait for a lock in the database would hold every connection.
 */
export function createKeyedSemaphore(maxConcurrent: number, timeoutMs: number): KeyedSemaphore {
  const keys = new Map<string, { active: number; waiting: Set<() => void> }>();

  const waitForPermit = (waiting: Set<() => void>): Promise<void> =>
    new Promise((resolve, reject) => {
      const grant = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(grant);
        reject(
          new AppError('UNAVAILABLE', {
            retryAfter: 5,
            message: 'Your earlier requests are still running; send fewer at a time and try again shortly.',
          }),
        );
      }, timeoutMs);
      waiting.add(grant);
    });

  return async (key, work) => {
    const permits = keys.get(key) ?? { active: 0, waiting: new Set() };
    keys.set(key, permits);
    // Finished work hands its permit to the first in the queue, so that no later call overtakes it.
    if (permits.active < maxConcurrent) permits.active += 1;
    else await waitForPermit(permits.waiting);
    try {
      return await work();
    } finally {
      const [next] = permits.waiting;
      if (next) {
        permits.waiting.delete(next);
        next();
      } else {
        permits.active -= 1;
        if (permits.active === 0) keys.delete(key);
      }
    }
  };
}
