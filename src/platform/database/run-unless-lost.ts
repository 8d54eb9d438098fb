import type { PoolClient } from 'pg';
import { destroyClient } from './pool.ts';
import type { WithClient } from './replica.ts';

interface LossCheck {
  /** Time in ms without a result after which `findLoss` is called, and called again. */
  intervalMs: number;
  /** Returns the error that ends the work, or undefined while its server responds. Never rejects. */
  findLoss(): Promise<Error | undefined>;
}

/**
 * Acquires a connection and runs the work on it. Once `findLoss` returns an error, throws it and closes the connection,
 * which is still in use.
 */
export async function runUnlessLost<T>(
  acquire: WithClient,
  work: (client: PoolClient) => Promise<T>,
  { intervalMs, findLoss }: LossCheck,
): Promise<T> {
  const loss = new AbortController();
  const timer = setInterval(() => {
    void findLoss().then((error) => error && loss.abort(error));
  }, intervalMs);
  try {
    return await Promise.race([
      rejectOnAbort(loss.signal),
      acquire((client) => runUntilAbort(client, work, loss.signal)),
    ]);
  } finally {
    clearInterval(timer);
  }
}

/** Returns a promise that rejects when the signal aborts, with its reason. */
const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Runs work on a connection. If the signal aborts first, rejects and closes the connection, which is still in use. */
async function runUntilAbort<T>(
  client: PoolClient,
  work: (client: PoolClient) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  // A connection may become free after the abort.
  signal.throwIfAborted();
  try {
    return await Promise.race([rejectOnAbort(signal), work(client)]);
  } finally {
    if (signal.aborted) destroyClient(client);
  }
}
