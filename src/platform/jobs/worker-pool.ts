import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { LONG_STATEMENT_TIMEOUT_MS } from '../database/statement-timeouts.ts';
import { withTimeout } from '../http/with-timeout.ts';

/** True while the library records the completion of a job, synchronously or in a timer. */
const isCompleting = new AsyncLocalStorage<boolean>();

/** Sets the flag by the library's public events while the completion of a job is recorded. */
export function markCompletions(events: WorkerEvents): void {
  for (const event of ['job:success', 'job:error'] as const) events.on(event, () => isCompleting.enterWith(true));
  events.on('job:complete', () => isCompleting.enterWith(false));
}

/** Returns the options of each connection of the worker. */
export const toConnectionOptions = (connectionString: string) => ({
  connectionString,
  application_name: 'tally worker',
  keepAlive: true,
  connectionTimeoutMillis: 10_000,
});

/** Maximum wait in ms of `close` for completions that the server does not accept. Those jobs run again. */
const CLOSE_TIMEOUT_MS = 5_000;
const MIN_RETRY_DELAY_MS = 50;
const MAX_RETRY_DELAY_MS = 5_000;

type QueryArguments = [text: string | pg.QueryConfig, values?: unknown[]];

/**
 * A pool for graphile-worker. The library does not check whether the completion of a job was recorded. If the
 * connection is cut then, the rejection is unhandled and the job stays locked. This pool retries those statements:
 *
 * 1. The library emits `job:success` or `job:error`, which sets the flag of `markCompletions`.
 * 2. It calls `connect`. While the flag is set, `connect` returns a client that only retries statements.
 * 3. Each statement uses a connection of the pool until it succeeds or fails permanently.
 * 4. The library emits `job:complete`, which clears the flag.
 *
 * A repeated statement changes nothing. At worst it unlocks the next run of the job, which then runs once more. Batches
 * of the library are not retried: https://github.com/graphile/worker/issues/636
 */
export class CompletionRetryPool extends pg.Pool {
  readonly #onError: (error: Error) => void;
  readonly #completions = new Set<Promise<unknown>>();
  #isClosing = false;

  constructor(connectionString: string, max: number, onError: (error: Error) => void) {
    // With pipelining the driver closes the connection when a statement times out.
    super({ ...toConnectionOptions(connectionString), max, pipeline: true, query_timeout: LONG_STATEMENT_TIMEOUT_MS });
    this.#onError = onError;
    this.on('error', onError);
    this.on('connect', (client) => client.on('error', onError));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    if (callback) return super.connect((error, client, release) => callback(error, client, callOnce(release)));
    return isCompleting.getStore() ? Promise.resolve(this.#createRetryingClient()) : super.connect();
  }

  /** Waits briefly for completions that are being recorded, then closes all connections. */
  async close(): Promise<void> {
    await withTimeout(CLOSE_TIMEOUT_MS, Promise.allSettled(this.#completions), () => {});
    this.#isClosing = true;
    await this.end();
  }

  /** Creates a client with the two methods that the library calls while it records a completion. */
  #createRetryingClient(): pg.PoolClient {
    const client: Pick<pg.PoolClient, 'release'> & { query: unknown } = {
      query: (...query: QueryArguments) => {
        // Leave the flag, because a connection that is opened here serves other statements later.
        const completion = isCompleting.exit(() => this.#queryUntilDone(query));
        this.#completions.add(completion);
        return completion.finally(() => this.#completions.delete(completion));
      },
      release() {},
    };
    return client as pg.PoolClient;
  }

  async #queryUntilDone(query: QueryArguments): Promise<unknown> {
    let delayMs = MIN_RETRY_DELAY_MS;
    let canRetry = true;
    while (canRetry) {
      try {
        return await this.query(...query);
      } catch (error) {
        if (!this.#isClosing) this.#onError(error as Error);
        canRetry = !this.#isClosing && isRetryable(error);
      }
      if (canRetry) await sleep(delayMs);
      delayMs = Math.min(delayMs * 1.5, MAX_RETRY_DELAY_MS);
    }
    // The job stays locked until the next worker releases it, because the library would not catch the error.
    return { rows: [] };
  }
}

/**
 * Returns a function of which further calls do nothing. The library releases the connection on which it listens a second
 * time if that connection is lost while the worker stops. A closed pool passes no function, against its type.
 */
function callOnce(release: pg.PoolClient['release'] | undefined): pg.PoolClient['release'] {
  let isReleased = false;
  return (error) => {
    if (!isReleased) release?.(error);
    isReleased = true;
  };
}

/**
 * Returns whether a statement is retried: lost or rejected connections (no response, or classes 08, 53 and 57P) and
 * lock timeouts.
 */
function isRetryable(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|53|57P|55P03)/.test(error.code ?? '');
}
