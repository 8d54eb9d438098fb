import type { Socket } from 'node:net';
import pg from 'pg';
import { OWNER_IDLE_TIMEOUT_MS, REQUEST_STATEMENT_TIMEOUT_MS } from './statement-timeouts.ts';

/** A client that one block has for itself; it is not connected yet, and ends with the block (`await using`). */
type DisposableClient = pg.Client & AsyncDisposable;

function createClient(config: pg.ClientConfig): DisposableClient {
  const client = new pg.Client(config);
  client.on('error', () => {}); // the statement under way reports it
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end().catch(() => {}) });
}

/** For a look at a server before anything is served: it waits 5 s for the connection and 15 s for an answer. */
export const createCheckClient = (connectionString: string): DisposableClient =>
  createClient({
    connectionString,
    application_name: 'tally',
    connectionTimeoutMillis: 5_000,
    query_timeout: REQUEST_STATEMENT_TIMEOUT_MS,
  });

/** For what the owner does by a command of this name; cut where the server says nothing for `OWNER_LIMIT`. */
export function createOwnerClient(connectionString: string, command: string): DisposableClient {
  const client = createClient({
    connectionString,
    application_name: `tally ${command}`,
    connectionTimeoutMillis: 60_000,
  });
  client.once('connect', () => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.setTimeout(OWNER_IDLE_TIMEOUT_MS, () =>
      stream.destroy(new Error('The database has not answered for two hours.')),
    );
  });
  return client;
}
