import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { checkClient } from './own-client.ts';

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
  await using primary = checkClient(primaryUrl);
  await using replica = checkClient(replicaUrl);
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
}

async function compare(primary: pg.Client, replica: pg.Client): Promise<ReplicaCheck> {
  const { standby } = await one<{ standby: boolean }>(replica, 'select pg_is_in_recovery() as standby');
  if (!standby) return { must: 'lead to a standby that follows the database of DB_URL; the server there takes writes' };
  const identity = `select system_identifier::text as server, oid::text as database
      from pg_control_system(), pg_database where datname = current_database()`;
  return isDeepStrictEqual(await one(primary, identity), await one(replica, identity))
    ? {}
    : { must: 'lead to a standby of the database that DB_URL names; the one there is of another' };
}

async function one<Row>(client: pg.Client, text: string): Promise<Row> {
  return (await client.query(text)).rows[0] as Row;
}
