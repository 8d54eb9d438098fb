import pg from 'pg';
import { checkClient } from './check-client.ts';

interface ReplicaCheck {
  /** What its setting must do instead, as the end of a sentence. */
  must?: string;
  /** Why it is not read from yet, where that may pass by itself. */
  waits?: string;
}

/**
 * Looks whether the second URL leads to a streaming standby of the first one's database: the same database of the same
 * server, hence with the same schema, that takes no writes. That it is away or starts is no refusal: reads go to the
 * primary meanwhile.
 */
export async function checkReplica(primaryUrl: string, replicaUrl: string): Promise<ReplicaCheck> {
  const primary = checkClient(primaryUrl);
  const replica = checkClient(replicaUrl);
  try {
    await primary.connect();
    try {
      await replica.connect();
    } catch (error) {
      const { message, code = '' } = error as Error & { code?: string };
      const isRefused = error instanceof pg.DatabaseError && !/^5[37]/.test(code);
      return isRefused
        ? { must: `lead to a standby that lets the login of the service in (${message})` }
        : { waits: `it cannot be reached (${message})` };
    }
    return await compare(primary, replica);
  } finally {
    await Promise.all([primary, replica].map((client) => client.end().catch(() => {})));
  }
}

async function compare(primary: pg.Client, replica: pg.Client): Promise<ReplicaCheck> {
  const { standby } = await one<{ standby: boolean }>(replica, 'select pg_is_in_recovery() as standby');
  if (!standby) return { must: 'lead to a standby that follows the database of DB_URL; the server there takes writes' };
  const system = 'select system_identifier::text as id from pg_control_system()';
  const [ours, theirs] = [await one<{ id: string }>(primary, system), await one<{ id: string }>(replica, system)];
  const name = 'select oid::text as id from pg_database where datname = current_database()';
  const [database, copy] = [await one<{ id: string }>(primary, name), await one<{ id: string }>(replica, name)];
  if (ours.id !== theirs.id || database.id !== copy.id)
    return { must: 'lead to a standby of the database that DB_URL names; the one there is of another' };
  return {};
}

async function one<Row>(client: pg.Client, text: string): Promise<Row> {
  return (await client.query(text)).rows[0] as Row;
}
