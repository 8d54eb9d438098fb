import pg from 'pg';
import { createCheckClient } from './disposable-client.ts';

/**
 * Returns whether connections of this URL change servers between transactions, as behind a transaction or statement
 * pooler. Without a pooler, two connected clients never share a backend, and one client never changes its backend.
 * Rejects if the server is unavailable.
 */
export async function isTransactionPooled(connectionString: string): Promise<boolean> {
  return await withTwoClients(connectionString, async (first, second) => {
    const firstPid = await readBackendPid(first);
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const secondPid = await readBackendPid(second);
      if (secondPid === firstPid || (await readBackendPid(first)) !== firstPid) return true;
    }
    return false;
  });
}

/**
 * Returns whether prepared statements survive a change of servers. PgBouncer 1.21 and later keeps them with
 * `max_prepared_statements`.
 */
export async function supportsPreparedStatements(connectionString: string): Promise<boolean> {
  // Two clients prepare different texts under one name. On a shared backend the second one fails.
  const statement = (number: number) => ({ name: 'pooler_probe', text: `select ${number} as number` });
  return await withTwoClients(connectionString, async (first, second) => {
    try {
      for (let probe = 0; probe < MAX_PROBES; probe += 1)
        for (const [number, client] of [first, second].entries()) {
          const { rows } = await client.query<{ number: number }>(statement(number));
          if (rows[0]?.number !== number) return false;
        }
      return true;
    } catch (error) {
      if (error instanceof pg.DatabaseError) return false;
      throw error;
    }
  });
}

/** Number of probes. One is enough on an idle pooler, but a busy one may assign another backend at times. */
const MAX_PROBES = 5;

async function readBackendPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

async function withTwoClients<T>(
  connectionString: string,
  work: (first: pg.Client, second: pg.Client) => Promise<T>,
): Promise<T> {
  await using first = createCheckClient(connectionString);
  await using second = createCheckClient(connectionString);
  await Promise.all([first.connect(), second.connect()]);
  return await work(first, second);
}
