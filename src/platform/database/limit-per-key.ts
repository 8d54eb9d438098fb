import { Failure } from '../../errors.ts';

/** Runs work under its key's limit; throws UNAVAILABLE where no place is free in time. */
type RunLimited = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * At most `atOnce` works of one key at a time, first come, first served; `timeout` in milliseconds. Waiting here holds
 * no connection: a member whose statements wait for a lock in the database would otherwise take every connection.
 */
export function createLimitPerKey(atOnce: number, timeout: number): RunLimited {
  const keys = new Map<string, { busy: number; waiting: Set<() => void> }>();

  const queueFor = (waiting: Set<() => void>): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(go);
        reject(
          new Failure('UNAVAILABLE', {
            retryAfter: 5,
            message: 'Your earlier requests are still under way; send fewer at a time and try again shortly.',
          }),
        );
      }, timeout);
      waiting.add(go);
    });

  return async (key, work) => {
    const own = keys.get(key) ?? { busy: 0, waiting: new Set() };
    keys.set(key, own);
    // Work that ends hands its place to the first in the queue, so that no later call slips in between.
    if (own.busy < atOnce) own.busy += 1;
    else await queueFor(own.waiting);
    try {
      return await work();
    } finally {
      const [next] = own.waiting;
      if (next) {
        own.waiting.delete(next);
        next();
      } else {
        own.busy -= 1;
        if (own.busy === 0) keys.delete(key);
      }
    }
  };
}
