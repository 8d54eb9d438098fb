import pg from 'pg';
import { AppError } from '../../errors.ts';
import { enablePreparedStatements } from './prepared-statements.ts';
import { allowLongStatements, forwardIdentity } from './run-as.ts';
import { REQUEST_STATEMENT_TIMEOUT_MS } from './statement-timeouts.ts';

export interface PoolOptions {
  /** Name in the server's list of connections (default `tally`). */
  name?: string;
  /** Timeout in ms for a connection (default 5000). The wait for a member's own share may take three times as long. */
  connectTimeoutMs?: number;
  /** Timeout in ms for every statement of this pool (default 15,000 in requests, 90,000 in long work). */
  queryTimeoutMs?: number;
  /** Whether connections keep prepared statements (default true). Must be false behind a transaction pooler. */
  prepare?: boolean;
  /** Whether the database is on a Citus cluster, whose workers need the member's identity too. */
  distributed?: boolean;
  /** Called when a connection breaks outside a statement, such as a server restart. The pool replaces it. */
  onError?: (error: Error) => void;
}

export const CONNECT_TIMEOUT_MS = 5_000;

/** Creates a pool, which connects at the first statement. */
export function openPool(connectionString: string, max = 10, options: PoolOptions = {}): pg.Pool {
  const { name = 'tally', prepare = true, distributed = false, onError = () => {} } = options;
  const pool = new pg.Pool({
    connectionString,
    max,
    pipeline: true,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    // With pipelining the driver then closes the connection, since an unresponsive server would hold it without limit.
    query_timeout: options.queryTimeoutMs ?? REQUEST_STATEMENT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: name,
  });
  pool.on('error', onError);
  // An acquired connection that breaks emits an error on the client. Without a listener the process would end.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      brokenClients.add(client);
      onError(error);
    });
    if (options.queryTimeoutMs === undefined) allowLongStatements(client);
    if (prepare) enablePreparedStatements(client);
    if (distributed) forwardIdentity(client);
  });
  return pool;
}

const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';

/** Connections that ended unexpectedly. */
const brokenClients = new WeakSet<pg.ClientBase>();

/**
 * Returns whether an error is the last message of a server or pooler, such as a pooler without its server. The
 * connection ends with it.
 */
const isFatal = (error: unknown): boolean => (error as { severity?: unknown } | null)?.severity === 'FATAL';

/**
 * Acquires a connection, runs the work on it and releases it. A connection that does not return to its idle state is
 * discarded, so that nothing leaks to the next work. Throws UNAVAILABLE if all connections are busy, the database is
 * unavailable, or the connection breaks. In the last case the running statement may or may not have been executed.
 */
export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: Error) => {
    throw new AppError('UNAVAILABLE', { retryAfter: 2, cause: error });
  });
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof AppError || !(brokenClients.has(client) || isQueryTimeout(error) || isFatal(error)))
      throw error;
    throw new AppError('UNAVAILABLE', { retryAfter: 2, cause: error as Error });
  } finally {
    client.release(!isReusable(client));
  }
}

/** Returns whether a connection is open and in its idle state. */
function isReusable(client: pg.PoolClient): boolean {
  const { connection, getTransactionStatus } = client as unknown as {
    connection: { stream: { destroyed: boolean } };
    getTransactionStatus(): string | null;
  };
  return !connection.stream.destroyed && getTransactionStatus.call(client) === 'I';
}

/** Closes a connection at once. Its running statements are rejected, and its pool replaces it. */
export const destroyClient = (client: pg.ClientBase): void =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();

/** Returns whether the driver has canceled the statement and closed its connection. */
export const isQueryTimeout = (error: unknown): boolean => (error as Error | null)?.message === QUERY_TIMEOUT_MESSAGE;
