import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { LONG_STATEMENT_TIMEOUT_MS } from '../database/statement-timeouts.ts';
import { withTimeout } from '../http/with-timeout.ts';

/** True in what the library does to record the completion of a job, whether at once or in a timer. */
const isCompleting = new AsyncLocalStorage<boolean>();

/** Marks by the library's public events when the completion of a job is recorded. */
export function markCompletions(events: WorkerEvents): void {
  for (const event of ['job:success', 'job:error'] as const) events.on(event, () => isCompleting.enterWith(true));
  events.on('job:complete', () => isCompleting.enterWith(false));
}

/** How each connection of the worker is made. */
export const toConnectionOptions = (connectionString: string) => ({
  connectionString,
  application_name: 'tally worker',
  keepAlive: true,
  connectionTimeoutMillis: 10_000,
});

/** Milliseconds that `close` waits for completions which the server does not take; those jobs run again. */
const CLOSE_TIMEOUT_MS = 5_000;
const MIN_RETRY_DELAY_MS = 50;
const MAX_RETRY_DELAY_MS = 5_000;

type QueryArguments = [text: string | pg.QueryConfig, values?: unknown[]];

/**
 * A pool for graphile-worker, which records the completion of a job without checking that this worked: a connection cut
 * at that moment would be an unhandled rejection and leave the job locked. So those statements are retried here:
 *
 * 1. The library emits `job:success` or `job:error`, which sets the flag of `markCompletions`.
 * 2. It calls `connect`, which returns a client that only retries statements while the flag is set.
 * 3. Each statement takes a connection of the pool until it succeeds, or cannot succeed.
 * 4. The library emits `job:complete`, which clears the flag.
 *
 * A repeated statement finds nothing to change. At worst it unlocks the next run of the same job, which runs once more.
 * The library's own batches are not retried either: https://github.com/graphile/worker/issues/636
 */
export class CompletionRetryPool extends pg.Pool {
  readonly #onError: (error: Error) => void;
  readonly #completions = new Set<Promise<unknown>>();
  #isClosing = false;

  constructor(connectionString: string, max: number, onError: (error: Error) => void) {
    // With pipelining the driver cuts the connection of a statement that stays unanswered.
    super({ ...toConnectionOptions(connectionString), max, pipeline: true, query_timeout: LONG_STATEMENT_TIMEOUT_MS });
    this.#onError = onError;
    this.on('error', onError);
    this.on('connect', (client) => client.on('error', onError));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    if (callback) return super.connect(callback);
    return isCompleting.getStore() ? Promise.resolve(this.#createRetryingClient()) : super.connect();
  }

  /** Waits a moment for completions that are still being recorded, then closes every connection. */
  async close(): Promise<void> {
    await withTimeout(CLOSE_TIMEOUT_MS, Promise.allSettled(this.#completions), () => {});
    this.#isClosing = true;
    await this.end();
  }

  /** The library calls only these two methods while it records a completion. */
  #createRetryingClient(): pg.PoolClient {
    const client: Pick<pg.PoolClient, 'release'> & { query: unknown } = {
      query: (...query: QueryArguments) => {
        // Outside of the flag, since a connection that is opened for this statement serves others later.
        const completion = isCompleting.exit(() => this.#queryUntilDone(query));
        this.#completions.add(completion);
        return completion.finally(() => this.#completions.delete(completion));
      },
      release() {},
    };
    return client as pg.PoolClient;
  }

  async #queryUntilDone(query: QueryArguments): Promise<unknown> {
    for (let delayMs = MIN_RETRY_DELAY_MS; ; delayMs = Math.min(delayMs * 1.5, MAX_RETRY_DELAY_MS)) {
      try {
        return await this.query(...query);
      } catch (error) {
        if (!this.#isClosing) this.#onError(error as Error);
        // The job stays locked until the next worker releases it; the library would not catch the error.
        if (this.#isClosing || !isRetryable(error)) return { rows: [] };
        await sleep(delayMs);
      }
    }
  }
}

/** Lost or refused connections (no answer, or classes 08, 53 and 57P) and waits for a lock that took too long. */
function isRetryable(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|53|57P|55P03)/.test(error.code ?? '');
}
