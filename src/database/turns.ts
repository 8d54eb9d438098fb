import { Failure } from '../errors.ts';

/** Runs work of one key beside other work; throws UNAVAILABLE where its turn does not come in time. */
type TakeTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * At most `atOnce` works of one key at a time, in the order they came. Who waits here holds no connection: a member whose statements wait
 * for his own lock inside the database would otherwise take every connection from everybody else. `patience` in milliseconds.
 */
export function createTurns(atOnce: number, patience: number): TakeTurn {
  const keys = new Map<string, { busy: number; waiting: Set<() => void> }>();

  const turn = (waiting: Set<() => void>): Promise<void> =>
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
      }, patience);
      waiting.add(go);
    });

  return async (key, work) => {
    const own = keys.get(key) ?? { busy: 0, waiting: new Set() };
    keys.set(key, own);
    // Whoever ends hands the place on, so that nobody who comes later slips in between.
    if (own.busy < atOnce) own.busy += 1;
    else await turn(own.waiting);
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
