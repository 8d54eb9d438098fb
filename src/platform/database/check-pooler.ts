import pg from 'pg';
import { createCheckClient } from './disposable-client.ts';

/**
 * Whether the connections of this URL change servers between transactions, as behind a pooler in transaction (or
 * statement) mode: two clients that are connected at once would otherwise never be served by one backend, nor one
 * client by two. Rejects where the server is away.
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
 * Whether prepared statements outlive a change of servers, as where a pooler keeps them itself (PgBouncer from 1.21 on
 * with `max_prepared_statements`).
 */
export async function supportsPreparedStatements(connectionString: string): Promise<boolean> {
  // The same name with another text in two clients: on one backend the second is refused.
  const statement = (number: number) => ({ name: 'tally_probe', text: `select ${number} as number` });
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

/** One look settles it as long as nobody else uses the pooler; a busy one may lend another backend now and then. */
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
