import type { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../../errors.ts';
import { createRateLimiter } from '../http/rate-limit.ts';
import { createKeyedSemaphore } from './keyed-semaphore.ts';
import { CONNECT_TIMEOUT_MS, withClient, openPool, type PoolOptions } from './pool.ts';
import { awaitAll, SET_IDENTITY, send, sendUnprepared } from './run-as.ts';

/** What one SELECT may cost: rows and bytes of its answer, and the planner's estimate. */
interface QueryLimits {
  rows: number;
  /** Bytes that the server may send; past them the connection is cut. */
  bytes: number;
  /** Cost units of the planner. */
  cost: number;
}

type ReadOnlyResult =
  | { ok: true; columns: { name: string; type: number }[]; rows: (string | null)[][] }
  | { ok: false; reason: 'too_costly' }
  | { ok: false; reason: 'too_large' }
  /** The server's own refusal, by SQLSTATE. */
  | { ok: false; reason: 'refused'; code: string; message: string };

type TimedResult = ReadOnlyResult & { milliseconds: number };

/** Runs SELECTs of unknown origin as the role `assistant`, in one member's name. */
export interface ReadOnly {
  /**
   * Runs one SELECT and returns at most `caps.rows` + 1 rows, values in the server's text form, and the time that the
   * server was busy with it. Nothing that it does outlives the call. Throws UNAVAILABLE where there is no connection.
   */
  run(idpId: string, text: string, caps: QueryLimits): Promise<TimedResult>;
  end(): Promise<void>;
}

/**
 * A statement begins among the quick ones and is run again among the slow ones where it needs longer. A member who has
 * used up their quick time of the last minute begins among the slow ones, so that a quick one finds a connection.
 */
const QUICK = { connections: 2, statementMs: 250 };
const SLOW = { connections: 2, statementMs: 2_250 };
/** Quick time is counted in whole units, so that a statement shorter than one is free. */
const QUICK_TIME = { unitMs: 50, unitsPerMinute: 15 };
/** Well past the server's own limits: a server that has not answered by then is frozen. */
const DRIVER_TIMEOUT_MS = 10_000;
/** Statements of one member at a time in each lane: no member is twice in the line for a connection. */
const MAX_STATEMENTS_PER_MEMBER = 1;

// The login begins with the same limits (its migration), for what may only be set there; a server that is not ours may
// have refused some. They go with the identity in one statement, which connections may keep prepared.
const SET_LIMITS_AND_IDENTITY = `select set_config('statement_timeout', $4, true),
  set_config('lock_timeout', '1s', true),
    set_config('work_mem', '4MB', true), set_config('hash_mem_multiplier', '1', true), set_config('jit', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('search_path', 'assistant, pg_catalog', true),
    set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true), ${SET_IDENTITY}`;

/** Opens the connections lazily: the first statement connects. A member's text is never kept prepared. */
export function openReadOnly(
  connectionString: string,
  options: Pick<PoolOptions, 'connectTimeoutMs' | 'prepare' | 'onError'>,
): ReadOnly {
  // By name: what else the caller's options hold is not for these connections.
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
    return {
      withPermit: createKeyedSemaphore(MAX_STATEMENTS_PER_MEMBER, 3 * connectTimeoutMs),
      run: (idpId: string, text: string, caps: QueryLimits): Promise<TimedResult> =>
        withClient(pool, async (client) => {
          const startedAt = performance.now();
          const result = await runOnClient(client, { idpId, text, caps, statementMs });
          return { ...result, milliseconds: performance.now() - startedAt };
        }),
      end: () => pool.end(),
    };
  };
  const quick = openLane(QUICK);
  const slow = openLane(SLOW);
  const quickTime = createRateLimiter({ limit: QUICK_TIME.unitsPerMinute });
  /** Undefined where the member has no quick time left. */
  const runQuick = (idpId: string, text: string, caps: QueryLimits): Promise<TimedResult | undefined> =>
    // Looked at when the member's turn has come: statements that wait for it do not share what is left.
    quick.withPermit(idpId, async () => {
      if (!quickTime.peek(idpId).ok) return undefined;
      const result = await quick.run(idpId, text, caps);
      for (let chargedMs = QUICK_TIME.unitMs; chargedMs <= result.milliseconds; chargedMs += QUICK_TIME.unitMs)
        quickTime.consume(idpId);
      return result;
    });
  return {
    async run(idpId, text, caps) {
      const quickResult = await runQuick(idpId, text, caps);
      if (quickResult && !isTimeout(quickResult)) return quickResult;
      const slowResult = await slow.withPermit(idpId, () => slow.run(idpId, text, caps));
      return { ...slowResult, milliseconds: (quickResult?.milliseconds ?? 0) + slowResult.milliseconds };
    },
    end: async () => void (await Promise.all([quick.end(), slow.end()])),
  };
}

/** Whether a statement was cancelled by a timeout of its own, of a lock or of its transaction. */
export const isTimeout = (result: ReadOnlyResult): boolean =>
  !result.ok && result.reason === 'refused' && /^(57014|55P03|25P0[34])$/.test(result.code);

/** One statement, what it may cost and how long the server may take. */
interface Statement {
  idpId: string;
  text: string;
  caps: QueryLimits;
  statementMs: number;
}

async function runOnClient(client: pg.PoolClient, statement: Statement): Promise<ReadOnlyResult> {
  let isTooLarge = false;
  try {
    const runLimited = limitReceivedBytes(client, statement.caps.bytes, () => (isTooLarge = true));
    return await runLimited(() => select(client, statement));
  } catch (error) {
    if (isTooLarge) return { ok: false, reason: 'too_large' };
    return toErrorResult(error);
  }
}

/** Explains the statement first, and only then runs it: a cursor's grammar takes nothing but a SELECT. */
async function select(client: pg.PoolClient, { idpId, text, caps, statementMs }: Statement): Promise<ReadOnlyResult> {
  const claims = JSON.stringify({ sub: idpId, role: 'assistant' });
  const setup = [
    send(client, 'begin read only'),
    send(client, SET_LIMITS_AND_IDENTITY, ['assistant', claims, idpId, `${statementMs}ms`]),
    sendUnprepared(client, `declare answer no scroll cursor for ${text}`),
    sendUnprepared(client, `explain (format json) ${text}`),
  ];
  let rollingBack: Promise<unknown> | undefined;
  // A broken connection is thrown away by the pool.
  const rollBack = (): Promise<unknown> => (rollingBack ??= send(client, 'rollback').catch(() => {}));
  try {
    const planResult = (await awaitAll(setup)).at(-1)!;
    const [{ Plan: plan }] = (planResult.rows[0] as { 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] })[
      'QUERY PLAN'
    ];
    if (plan['Total Cost'] > caps.cost) return { ok: false, reason: 'too_costly' };
    const query = {
      ...{ text: `fetch forward ${caps.rows + 1} from answer`, rowMode: 'array' as const, queryMode: 'extended' },
      types: { getTypeParser: () => String },
    };
    const fetched = client.query<(string | null)[]>(query as pg.QueryArrayConfig);
    // Leaves together with the fetch: no round trip of its own.
    void rollBack();
    const { fields, rows } = await fetched;
    return { ok: true, columns: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows };
  } finally {
    await rollBack();
  }
}

/** Counts what the server sends while `work` goes on; past `bytes` the connection is cut. */
function limitReceivedBytes(client: pg.PoolClient, bytes: number, onExceeded: () => void) {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    let bytesLeft = bytes;
    const count = (chunk: Buffer): void => {
      bytesLeft -= chunk.length;
      if (bytesLeft >= 0) return;
      onExceeded();
      stream.destroy(new Error('The answer is too large.'));
    };
    stream.prependListener('data', count);
    try {
      return await work();
    } finally {
      stream.off('data', count);
    }
  };
}

/** What the server says of the statement; that the server itself is away is thrown. */
function toErrorResult(error: unknown): ReadOnlyResult {
  if (!(error instanceof pg.DatabaseError) || /^(08|57P)/.test(error.code ?? ''))
    throw error instanceof AppError ? error : new AppError('UNAVAILABLE', { retryAfter: 2, cause: error as Error });
  return { ok: false, reason: 'refused', code: error.code ?? '', message: error.message };
}
