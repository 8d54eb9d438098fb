import pg from 'pg';

/** A client, not connected yet, for a look at a server before anything is served: it waits 5 s for the connection. */
export function checkClient(connectionString: string): pg.Client {
  const client = new pg.Client({ connectionString, application_name: 'tally', connectionTimeoutMillis: 5_000 });
  return client.on('error', () => {}); // the statement under way reports it
}
