import type { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../../errors.ts';
import { QueueFullError } from '../fairness/fair-queue.ts';
import { createTwoLanes } from '../fairness/two-lanes.ts';
import { CONNECT_TIMEOUT_MS, openPool, type PoolOptions } from './pool.ts';
import type { WithClient } from './replica.ts';
import { awaitAll, SET_IDENTITY, send, sendUnprepared } from './run-as.ts';

/** Limits of one SELECT: rows and bytes of its result, and the planner's estimate. */
interface QueryLimits {
  rows: number;
  /** Maximum bytes from the server. Above them the connection is closed. */
  bytes: number;
  /** Cost units of the planner. */
  cost: number;
}

type ReadOnlyResult =
  | { ok: true; columns: { name: string; type: number }[]; rows: (string | null)[][] }
  | { ok: false; reason: 'too_costly' }
  | { ok: false; reason: 'too_large' }
  /** An error of the server, by SQLSTATE. */
  | { ok: false; reason: 'error'; code: string; message: string };

type TimedResult = ReadOnlyResult & { milliseconds: number };

/** Runs SELECTs of unknown origin as the role `assistant`, with the claims of one member. */
export interface ReadOnly {
  /**
   * Runs one SELECT and returns at most `caps.rows` + 1 rows, values in the server's text form, and the server's
   * processing time. Its effects end with the call. Throws UNAVAILABLE if there is no connection.
   */
  run(idpId: string, text: string, caps: QueryLimits): Promise<TimedResult>;
  end(): Promise<void>;
}

/** Connections and statement timeouts of the quick and the slow lane. */
const QUICK = { connections: 2, statementMs: 250 };
const SLOW = { connections: 2, statementMs: 2_250 };
/** Timeout in ms, well above the server's own limits. A server that has not responded by then is unresponsive. */
const DRIVER_TIMEOUT_MS = 10_000;

// The login starts with these limits (by its migration), for settings that only a superuser may change. An external
// server may have rejected some. They are set with the identity in one statement, which connections may prepare.
const SET_LIMITS_AND_IDENTITY = `select set_config('statement_timeout', $4, true),
  set_config('lock_timeout', '1s', true),
    set_config('work_mem', '4MB', true), set_config('hash_mem_multiplier', '1', true), set_config('jit', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('search_path', 'assistant, pg_catalog', true),
    set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true), ${SET_IDENTITY}`;

/**
 * Creates the pools, which connect at the first statement. `acquireFrom` acquires their connections. A member's text is
 * never prepared.
 */
export function openReadOnly(
  connectionString: string,
  acquireFrom: (pool: pg.Pool) => WithClient,
  options: Pick<PoolOptions, 'connectTimeoutMs' | 'prepare' | 'onError'>,
): ReadOnly {
  // Options are selected by name, since other options of the caller do not apply to these connections.
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, prepare = true, onError = () => {} } = options;
  const poolOptions = {
    name: 'tally assistant',
    connectTimeoutMs,
    queryTimeoutMs: DRIVER_TIMEOUT_MS,
    prepare,
    onError,
  };
  const openLane = ({ connections, statementMs }: typeof QUICK) => {
    const pool = openPool(connectionString, connections, poolOptions);
    const acquire = acquireFrom(pool);
    return {
      run: (idpId: string, text: string, caps: QueryLimits) =>
        acquire(async (client) => {
          const startedAt = performance.now();
          const result = await runOnClient(client, { idpId, text, caps, statementMs });
          return { result, milliseconds: performance.now() - startedAt };
        }),
      end: () => pool.end(),
    };
  };
  const quick = openLane(QUICK);
  const slow = openLane(SLOW);
  const runInLanes = createTwoLanes({
    quickSlots: QUICK.connections,
    slowSlots: SLOW.connections,
    maxWaitMs: 3 * connectTimeoutMs,
  });
  return {
    async run(idpId, text, caps) {
      try {
        const { result, milliseconds } = await runInLanes({
          owner: idpId,
          runQuick: () => quick.run(idpId, text, caps),
          runSlow: () => slow.run(idpId, text, caps),
          isTooLong: isTimeout,
        });
        return { ...result, milliseconds };
      } catch (error) {
        if (!(error instanceof QueueFullError)) throw error;
        const message = 'Other statements are still running; send fewer at a time and try again shortly.';
        throw new AppError('UNAVAILABLE', { retryAfter: 5, message });
      }
    },
    async end() {
      await Promise.all([quick.end(), slow.end()]);
    },
  };
}

/** Returns whether a statement was canceled by a timeout of its own, of a lock or of its transaction. */
export const isTimeout = (result: ReadOnlyResult): boolean =>
  !result.ok && result.reason === 'error' && /^(57014|55P03|25P0[34])$/.test(result.code);

/** One statement with its limits and its timeout on the server. */
interface Statement {
  idpId: string;
  text: string;
  caps: QueryLimits;
  statementMs: number;
}

async function runOnClient(client: pg.PoolClient, statement: Statement): Promise<ReadOnlyResult> {
  let isTooLarge = false;
  try {
    const runLimited = limitReceivedBytes(client, statement.caps.bytes, () => {
      isTooLarge = true;
    });
    return await runLimited(() => select(client, statement));
  } catch (error) {
    if (isTooLarge) return { ok: false, reason: 'too_large' };
    return toErrorResult(error);
  }
}

/** Explains the statement first and then runs it. The grammar of a cursor accepts only a SELECT. */
async function select(client: pg.PoolClient, { idpId, text, caps, statementMs }: Statement): Promise<ReadOnlyResult> {
  const claims = JSON.stringify({ sub: idpId, role: 'assistant' });
  const setup = [
    send(client, 'begin read only'),
    send(client, SET_LIMITS_AND_IDENTITY, ['assistant', claims, idpId, `${statementMs}ms`]),
    sendUnprepared(client, `declare answer no scroll cursor for ${text}`),
    sendUnprepared(client, `explain (format json) ${text}`),
  ];
  let rollingBack: Promise<unknown> | undefined;
  // The pool discards a broken connection.
  const rollBack = (): Promise<unknown> => {
    rollingBack ??= send(client, 'rollback').catch(() => {});
    return rollingBack;
  };
  try {
    const planResult = (await awaitAll(setup)).at(-1)!;
    const [{ Plan: plan }] = (planResult.rows[0] as { 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] })[
      'QUERY PLAN'
    ];
    if (plan['Total Cost'] > caps.cost) return { ok: false, reason: 'too_costly' };
    const query = {
      text: `fetch forward ${caps.rows + 1} from answer`,
      rowMode: 'array' as const,
      queryMode: 'extended',
      types: { getTypeParser: () => String },
    };
    const fetched = client.query<(string | null)[]>(query as pg.QueryArrayConfig);
    // Sent together with the fetch, without a round trip of its own.
    void rollBack();
    const { fields, rows } = await fetched;
    return { ok: true, columns: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows };
  } finally {
    await rollBack();
  }
}

/** Counts the bytes from the server during `work`. Above `bytes` the connection is closed. */
function limitReceivedBytes(client: pg.PoolClient, bytes: number, onExceeded: () => void) {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    let bytesLeft = bytes;
    const count = (chunk: Buffer): void => {
      bytesLeft -= chunk.length;
      if (bytesLeft >= 0) return;
      onExceeded();
      stream.destroy(new Error('The result is too large.'));
    };
    stream.prependListener('data', count);
    try {
      return await work();
    } finally {
      stream.off('data', count);
    }
  };
}

/** Returns the server's error about the statement. Throws if the server itself is unavailable. */
function toErrorResult(error: unknown): ReadOnlyResult {
  if (!(error instanceof pg.DatabaseError) || /^(08|57P)/.test(error.code ?? ''))
    throw error instanceof AppError ? error : new AppError('UNAVAILABLE', { retryAfter: 2, cause: error as Error });
  return { ok: false, reason: 'error', code: error.code ?? '', message: error.message };
}
