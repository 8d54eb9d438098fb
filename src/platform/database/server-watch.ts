import pg from 'pg';
import { AppError } from '../../errors.ts';
import { destroyClient } from './pool.ts';
import type { WithClient } from './replica.ts';
import { runUnlessLost } from './run-unless-lost.ts';
import { isLongWork } from './statement-timeouts.ts';

export interface ServerWatch {
  /** Wraps `acquire`. Throws UNAVAILABLE while the server is unresponsive, at the start or while the work waits. */
  guard(acquire: WithClient): WithClient;
  /** Ends the checks. */
  close(): void;
}

/** Time in ms without a result of a request's work after which the server is checked, and checked again. */
const SILENCE_MS = 1_000;

/** Time in ms for the server to respond to a check, which takes some ms. It has room for a busy server. */
export const RESPONSE_TIMEOUT_MS = 2_000;

/** Time in ms after which a request to an unresponsive server fails. */
export const UNRESPONSIVE_AFTER_MS = SILENCE_MS + RESPONSE_TIMEOUT_MS;

/** Interval in ms between two checks of an unresponsive server. */
const RETRY_MS = 500;

/**
 * Detects a server that accepts connections and answers nothing, for which no timeout of its own ever ends. When the
 * work of a request has no result for `SILENCE_MS`, a new connection sends a short statement. If neither it nor any
 * work has an answer for `RESPONSE_TIMEOUT_MS`, the server is unresponsive: work of requests fails at once until a
 * check is answered. A slow statement is never ended while the server responds. Jobs and commands wait for their own
 * timeout.
 */
export function watchServer(url: string): ServerWatch {
  let isUnresponsive = false;
  let isClosed = false;
  let respondedAt = -Infinity;
  let checking: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;

  const check = async (): Promise<void> => {
    const startedAt = performance.now();
    const response = await probe(url);
    // A check that fails for another reason neither begins nor ends the state.
    if (response === 'none') isUnresponsive = respondedAt < startedAt;
    if (response === 'answer') isUnresponsive = false;
    if (isUnresponsive && !isClosed)
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
    if (!isUnresponsive) await startCheck();
    return isUnresponsive ? createSilenceError() : undefined;
  };

  return {
    guard: (acquire) => async (work) => {
      if (isLongWork()) return acquire(work);
      if (isUnresponsive) throw createSilenceError();
      try {
        const result = await runUnlessLost(acquire, work, { intervalMs: SILENCE_MS, findLoss });
        respondedAt = performance.now();
        return result;
      } catch (error) {
        if (isServerAnswer(error)) respondedAt = performance.now();
        throw error;
      }
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

/** Returns whether the server sent an error, which is the cause of UNAVAILABLE if it also ended the connection. */
const isServerAnswer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError || (error as Error | null)?.cause instanceof pg.DatabaseError;

/** Number of intervals in which `RESPONSE_TIMEOUT_MS` is counted. */
const TICKS = 10;

/** Sends a statement on a new connection. An error from the server is an answer too. Never rejects. */
async function probe(url: string): Promise<'answer' | 'none' | 'error'> {
  const client = new pg.Client({ connectionString: url, application_name: 'tally' });
  // The statement reports the error.
  client.on('error', () => {});
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
      (error: unknown) => (isServerAnswer(error) ? 'answer' : 'error'),
    );
  const response = await Promise.race([answer, timeout]);
  clearInterval(timer);
  // `end` would wait for an unresponsive server.
  destroyClient(client);
  return response;
}
