import type { Socket } from 'node:net';
import pg from 'pg';
import type { Handle } from './roles.ts';
import { OWNER_IDLE_TIMEOUT_MS, REQUEST_STATEMENT_TIMEOUT_MS } from './statement-timeouts.ts';

/** A client for one block. It is not connected yet, and ends with the block (`await using`). */
type DisposableClient = pg.Client & AsyncDisposable;

function createClient(config: pg.ClientConfig): DisposableClient {
  const client = new pg.Client(config);
  // The running statement reports the error.
  client.on('error', () => {});
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end().catch(() => {}) });
}

/** Returns a handle that runs each statement on this connection. */
export const toSql = (client: pg.Client): Pick<Handle, 'query'> => ({
  query: async (text, values = []) => (await client.query(text, [...values])).rows,
});

/** Creates a client for checks before the service starts. Timeouts: 5 s for the connection and 15 s for a response. */
export const createCheckClient = (connectionString: string): DisposableClient =>
  createClient({
    connectionString,
    application_name: 'tally',
    connectionTimeoutMillis: 5_000,
    query_timeout: REQUEST_STATEMENT_TIMEOUT_MS,
  });

/**
 * Creates a client for a command of the owner. The connection is closed if the server is silent for
 * `OWNER_IDLE_TIMEOUT_MS`.
 */
export function createOwnerClient(connectionString: string, command: string): DisposableClient {
  const client = createClient({
    connectionString,
    application_name: `tally ${command}`,
    connectionTimeoutMillis: 60_000,
  });
  client.once('connect', () => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.setTimeout(OWNER_IDLE_TIMEOUT_MS, () =>
      stream.destroy(new Error('The database has not responded for two hours.')),
    );
  });
  return client;
}
