import pg from 'pg';

/** A client that one block has for itself; it is not connected yet, and ends with the block (`await using`). */
type OwnClient = pg.Client & AsyncDisposable;

function makeClient(config: pg.ClientConfig): OwnClient {
  const client = new pg.Client(config);
  client.on('error', () => {}); // the statement under way reports it
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end().catch(() => {}) });
}

/** For a look at a server before anything is served: it waits 5 s for the connection. */
export const checkClient = (connectionString: string): OwnClient =>
  makeClient({ connectionString, application_name: 'tally', connectionTimeoutMillis: 5_000 });

/** For what the owner does by a command of this name. */
export const ownerClient = (connectionString: string, command: string): OwnClient =>
  makeClient({ connectionString, application_name: `tally ${command}` });
