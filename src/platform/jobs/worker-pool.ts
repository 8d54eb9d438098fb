import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { WORK_LIMIT } from '../database/statement-limit.ts';
import { within } from '../http/within.ts';

interface WorkerPool {
  pool: pg.Pool;
  /** Waits a moment for the ends of jobs that are still being noted, then closes every connection. */
  close(): Promise<void>;
}

type Query = (...query: unknown[]) => Promise<unknown>;

/** Milliseconds that `close` waits for notes which the server does not take; those jobs will be done again. */
const LAST_WAIT = 5_000;

/** True in what the library does to note the end of a job, whether at once or in a timer. */
const notingEnd = new AsyncLocalStorage<boolean>();

/** Tells the pool by the library's public events, between which ones the end of a job is noted. */
export function markEndsOfJobs(events: WorkerEvents): void {
  for (const ended of ['job:success', 'job:error'] as const) events.on(ended, () => notingEnd.enterWith(true));
  events.on('job:complete', () => notingEnd.enterWith(false));
}

/** How each connection of the worker is made. */
export const connectionTo = (connectionString: string) => ({
  connectionString,
  application_name: 'tally worker',
  keepAlive: true,
  connectionTimeoutMillis: 10_000,
});

/**
 * A pool for graphile-worker, which notes the end of a job and does not look whether that worked: a connection cut at
 * that moment would be an unhandled rejection and leave the job locked. So such statements are repeated here until they
 * work. That is safe: each is a transaction of its own, and finds nothing to change once the job is deleted (it
 * succeeded) or unlocked (it failed). At worst a note whose answer was lost unlocks the next try of the same job, which
 * is then done once more, as any job may be.
 */
export function openWorkerPool(connectionString: string, max: number, onError: (error: Error) => void): WorkerPool {
  // With pipelining the driver cuts the connection of a statement that stays unanswered.
  const pool = new pg.Pool({ ...connectionTo(connectionString), max, pipeline: true, query_timeout: WORK_LIMIT });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));

  const notes = new Set<Promise<unknown>>();
  let givenUp = false;
  const ask = pool.query.bind(pool) as unknown as Query;

  const noteUntilItWorks = async (query: unknown[]): Promise<unknown> => {
    for (let wait = 50; ; wait = Math.min(wait * 1.5, 5_000)) {
      try {
        return await ask(...query);
      } catch (error) {
        if (!givenUp) onError(error as Error);
        // The job stays locked, and the next worker frees it; the library would not catch the error.
        if (givenUp || !mayWorkLater(error)) return { rows: [] };
        await sleep(wait);
      }
    }
  };
  const note: Query = (...query) => {
    // A connection that is opened for the note serves others later, whose statements are not to count as notes.
    const noted = notingEnd.exit(noteUntilItWorks, query);
    notes.add(noted);
    return noted.finally(() => notes.delete(noted));
  };

  const connect = pool.connect.bind(pool) as (...callback: unknown[]) => Promise<pg.PoolClient>;
  pool.connect = ((...callback: unknown[]) =>
    callback.length === 0 && notingEnd.getStore()
      ? Promise.resolve({ query: note, release() {} })
      : connect(...callback)) as unknown as typeof pool.connect;

  return {
    pool,
    async close() {
      await within(LAST_WAIT, Promise.allSettled(notes), () => {});
      givenUp = true;
      await pool.end();
    },
  };
}

/**
 * Whether the statement failed for want of a connection (no answer of the server, or one of the classes 08, 53 and
 * 57P), or waited too long for a lock.
 */
function mayWorkLater(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|53|57P|55P03)/.test(error.code ?? '');
}
