import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

interface WorkerPool {
  pool: pg.Pool;
  /** Waits a moment for the ends of jobs that are still being noted, then closes every connection. */
  close(): Promise<void>;
}

type Query = (...query: unknown[]) => Promise<unknown>;

/** Milliseconds that `close` waits for notes which the server does not take; those jobs will be done again. */
const LAST_WAIT = 5_000;

/**
 * A pool for graphile-worker 0.18, which notes the end of a job and does not look whether that worked: a connection cut at that moment
 * would be an unhandled rejection and leave the job locked. Such statements can be repeated, so here they are, until they work.
 */
export function openWorkerPool(connectionString: string, max: number, onError: (error: Error) => void): WorkerPool {
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: 'tally worker',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  });
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
        if (!mayWorkLater(error)) throw error;
        if (givenUp) return { rows: [] }; // the job stays locked, and the next worker frees it
        onError(error as Error);
        await sleep(wait);
      }
    }
  };
  const note: Query = (...query) => {
    const noted = noteUntilItWorks(query);
    notes.add(noted);
    return noted.finally(() => notes.delete(noted));
  };

  const connect = pool.connect.bind(pool) as (...callback: unknown[]) => Promise<pg.PoolClient>;
  /** Connects at the first statement, so that even a refused connection is met where it can be borne. */
  const lend = () => {
    let client: Promise<pg.PoolClient> | undefined;
    const query: Query = async (...statement) =>
      endsJob(statement[0]) ? note(...statement) : run(await (client ??= connect()), statement);
    return {
      query,
      release: () =>
        client?.then(
          (lent) => lent.release(),
          () => {},
        ),
    };
  };
  // The library's workers use the promise form; its listener uses the callback and looks after itself.
  pool.connect = ((...callback: unknown[]) =>
    callback.length > 0 ? connect(...callback) : Promise.resolve(lend())) as unknown as typeof pool.connect;

  return {
    pool,
    async close() {
      await Promise.race([Promise.allSettled(notes), sleep(LAST_WAIT, undefined, { ref: false })]);
      givenUp = true;
      await pool.end();
    },
  };
}

const run = (client: pg.PoolClient, statement: unknown[]): Promise<unknown> =>
  (client.query as unknown as Query).apply(client, statement);

/** The library names its statements `complete_job/schema`, `fail_jobs/schema` and so on. */
function endsJob(query: unknown): boolean {
  return /^(complete|fail)_job/.test((query as { name?: string } | undefined)?.name ?? '');
}

/** Whether the statement failed for want of a connection (no answer of the server, or one of the classes 08, 53 and 57P), or waited too long for a lock. */
function mayWorkLater(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|53|57P|55P03)/.test(error.code ?? '');
}
