import pg from 'pg';
import { Failure } from '../errors.ts';
import { keepPrepared } from './prepared.ts';
import { passIdentityOn } from './run-as.ts';

export interface PoolOptions {
  /** What the server's list of connections says (default `tally`). */
  name?: string;
  /** Milliseconds to wait for a connection (default 5000); a member's own share waits three times as long. */
  connectTimeout?: number;
  /** Milliseconds to wait for an answer (default: as long as it takes). */
  queryTimeout?: number;
  /** Whether connections keep their statements prepared (default); not through a transaction pooler. */
  prepare?: boolean;
  /** Whether the server spreads members' rows over others (Citus), which must learn who the member is. */
  distributed?: boolean;
  /** Told of a connection that broke outside a statement, such as a server restart; the pool replaces it. */
  onError?: (error: Error) => void;
}

export const CONNECT_TIMEOUT = 5_000;

/** Opens lazily: the first statement connects. */
export function openPool(connectionString: string, max = 10, options: PoolOptions = {}): pg.Pool {
  const { name = 'tally', prepare = true, distributed = false, onError = () => {} } = options;
  const pool = new pg.Pool({
    connectionString,
    max,
    pipeline: true,
    connectionTimeoutMillis: options.connectTimeout ?? CONNECT_TIMEOUT,
    ...(options.queryTimeout && { query_timeout: options.queryTimeout }),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: name,
  });
  pool.on('error', onError);
  // A connection that breaks while it is lent out reports on the client; unheard it would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      broken.add(client);
      onError(error);
    });
    if (prepare) keepPrepared(client);
    if (distributed) passIdentityOn(client);
  });
  return pool;
}

/** Connections that ended by themselves. */
const broken = new WeakSet<pg.ClientBase>();

/** What a server or a pooler says last, such as a pooler whose server is away; its connection ends with it. */
const endsConnection = (error: unknown): boolean => (error as { severity?: unknown } | null)?.severity === 'FATAL';

/**
 * Lends a connection; one that is not back in its idle state is thrown away, so nothing can leak to the next borrower.
 * Throws UNAVAILABLE where there is none to be had, all being busy or the database away, and where it broke meanwhile:
 * what was under way may or may not have been done then.
 */
export async function lendClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: Error) => {
    throw new Failure('UNAVAILABLE', { retryAfter: 2, cause: error });
  });
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof Failure || !(broken.has(client) || endsConnection(error))) throw error;
    throw new Failure('UNAVAILABLE', { retryAfter: 2, cause: error as Error });
  } finally {
    client.release((client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus() !== 'I');
  }
}
