import pg from 'pg';
import { AppError } from '../../errors.ts';
import type { WithClient } from './replica.ts';
import { runUnlessLost } from './run-unless-lost.ts';
import { isLongWork } from './statement-timeouts.ts';

export interface ServerWatch {
  /** Wraps `acquire`. Throws UNAVAILABLE while the server is frozen, at the start or while the work waits. */
  guard(acquire: WithClient): WithClient;
  /** Ends the checks. */
  close(): void;
}

/** Time in ms without a result of a request's work after which the server is checked, and checked again. */
const SILENCE_MS = 1_000;

/** Time in ms for the server to respond to a check, which takes some ms. It has room for a busy server. */
const RESPONSE_TIMEOUT_MS = 2_000;

/** Interval in ms between two checks of a frozen server. */
const RETRY_MS = 500;

/**
 * Detects a server that accepts connections and answers nothing, for which no timeout of its own ever ends. When the
 * work of a request has no result for `SILENCE_MS`, a new connection sends a short statement. If neither it nor any
 * work has a result for `RESPONSE_TIMEOUT_MS`, the server is frozen: work of requests fails at once until a check is
 * answered. A slow statement is never ended while the server responds. Jobs and commands wait for their own timeout.
 */
export function watchServer(url: string): ServerWatch {
  let isFrozen = false;
  let isClosed = false;
  let respondedAt = -Infinity;
  let checking: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;

  const check = async (): Promise<void> => {
    const startedAt = performance.now();
    const response = await probe(url);
    // A check that fails for another reason neither begins nor ends the state.
    if (response === 'none') isFrozen = respondedAt < startedAt;
    if (response === 'answer') isFrozen = false;
    if (isFrozen && !isClosed)
      retryTimer = setTimeout(() => {
        void startCheck();
      }, RETRY_MS).unref();
  };
  const startCheck = (): Promise<void> => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  };
  const findLoss = async (): Promise<Error | undefined> => {
    if (!isFrozen) await startCheck();
    return isFrozen ? createSilenceError() : undefined;
  };

  return {
    guard: (acquire) => async (work) => {
      if (isLongWork()) return acquire(work);
      if (isFrozen) throw createSilenceError();
      const result = await runUnlessLost(acquire, work, { intervalMs: SILENCE_MS, findLoss });
      respondedAt = performance.now();
      return result;
    },
    close() {
      isClosed = true;
      clearTimeout(retryTimer);
    },
  };
}

const createSilenceError = () =>
  new AppError('UNAVAILABLE', {
    retryAfter: 2,
    cause: Object.assign(new Error('the database server does not respond'), { code: 'ETIMEDOUT' }),
  });

const TICKS = 10;

/** Sends a statement on a new connection. An error from the server is an answer too. Never rejects. */
async function probe(url: string): Promise<'answer' | 'none' | 'error'> {
  const client = new pg.Client({ connectionString: url, application_name: 'tally' });
  client.on('error', () => {}); // the statement reports the error
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'none'>((resolve) => {
    // Time is counted in ticks, so that a pause of this process is no silence of the server.
    let ticks = 0;
    timer = setInterval(() => {
      ticks += 1;
      if (ticks === TICKS) resolve('none');
    }, RESPONSE_TIMEOUT_MS / TICKS);
  });
  const answer = client
    .connect()
    .then(() => client.query('select 1'))
    .then(
      () => 'answer' as const,
      (error: unknown) => (error instanceof pg.DatabaseError ? 'answer' : 'error'),
    );
  const response = await Promise.race([answer, timeout]);
  clearInterval(timer);
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  return response;
}
