import pg from 'pg';
import { AppError } from '../../errors.ts';
import { enablePreparedStatements } from './prepared-statements.ts';
import { allowLongStatements, forwardIdentity } from './run-as.ts';
import { REQUEST_STATEMENT_TIMEOUT_MS } from './statement-timeouts.ts';

export interface PoolOptions {
  /** What the server's list of connections says (default `tally`). */
  name?: string;
  /** Milliseconds to wait for a connection (default 5000); a member's own share waits three times as long. */
  connectTimeoutMs?: number;
  /** Milliseconds that a statement of a request may stay unanswered (default 15,000); long work has its own limit. */
  requestTimeoutMs?: number | undefined;
  /** The same for every statement of this pool, of a request or of long work. */
  queryTimeoutMs?: number;
  /** Whether connections keep their statements prepared (default); not through a transaction pooler. */
  prepare?: boolean;
  /** Whether the server spreads members' rows over others (Citus), which must learn who the member is. */
  distributed?: boolean;
  /** Told of a connection that broke outside a statement, such as a server restart; the pool replaces it. */
  onError?: (error: Error) => void;
}

export const CONNECT_TIMEOUT_MS = 5_000;

/** Opens lazily: the first statement connects. */
export function openPool(connectionString: string, max = 10, options: PoolOptions = {}): pg.Pool {
  const { name = 'tally', prepare = true, distributed = false, onError = () => {} } = options;
  const pool = new pg.Pool({
    connectionString,
    max,
    pipeline: true,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    // With pipelining the driver cuts the connection then: a frozen server would hold it for as long as it likes.
    query_timeout: options.queryTimeoutMs ?? options.requestTimeoutMs ?? REQUEST_STATEMENT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: name,
  });
  pool.on('error', onError);
  // A connection that breaks while it is lent out reports on the client; unheard it would end the process.
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

/** Connections that ended by themselves. */
const brokenClients = new WeakSet<pg.ClientBase>();

/** What a server or a pooler says last, such as a pooler whose server is away; its connection ends with it. */
const isFatal = (error: unknown): boolean => (error as { severity?: unknown } | null)?.severity === 'FATAL';

/**
 * Lends a connection; one that is not back in its idle state is thrown away, so nothing can leak to the next borrower.
 * Throws UNAVAILABLE where there is none to be had, all being busy or the database away, and where it broke or was cut
 * meanwhile: what was under way may or may not have been done then.
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

/** Whether a connection is open and in its idle state. */
function isReusable(client: pg.PoolClient): boolean {
  const { connection, getTransactionStatus } = client as unknown as {
    connection: { stream: { destroyed: boolean } };
    getTransactionStatus(): string | null;
  };
  return !connection.stream.destroyed && getTransactionStatus.call(client) === 'I';
}

/** Whether the driver has given the statement up and cut its connection. */
const isQueryTimeout = (error: unknown): boolean => (error as Error | null)?.message === QUERY_TIMEOUT_MESSAGE;
