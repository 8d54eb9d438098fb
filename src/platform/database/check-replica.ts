import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { readIdentity } from './database-identity.ts';
import { createCheckClient } from './disposable-client.ts';
import { findTlsRequirement } from './tls-errors.ts';

interface ReplicaCheck {
  /** Requirement that the setting violates, as the end of a sentence. */
  requirement?: string;
  /** Why the replica cannot be read yet, if the reason may be temporary. */
  unavailableReason?: string;
}

/**
 * Checks whether the second URL is a streaming standby of the first one's database. Such a standby has that database
 * and schema and accepts no writes. An unavailable or starting standby is not rejected, because reads use the primary
 * until then.
 */
export async function checkReplica(primaryUrl: string, replicaUrl: string): Promise<ReplicaCheck> {
  await using primary = createCheckClient(primaryUrl);
  await using replica = createCheckClient(replicaUrl);
  await primary.connect();
  try {
    await replica.connect();
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string };
    const tlsRequirement = findTlsRequirement(error as Error, 'DB_SSLROOTCERT');
    if (tlsRequirement !== undefined) return { requirement: tlsRequirement };
    const isLoginRejected = error instanceof pg.DatabaseError && !/^5[37]/.test(code);
    return isLoginRejected
      ? { requirement: `name a standby that accepts the login of the service (${message})` }
      : { unavailableReason: `it is unreachable (${message})` };
  }
  return await compareDatabases(primary, replica);
}

async function compareDatabases(primary: pg.Client, replica: pg.Client): Promise<ReplicaCheck> {
  const { standby } = await queryOne<{ standby: boolean }>(replica, 'select pg_is_in_recovery() as standby');
  if (!standby) return { requirement: 'name a standby of the database in DB_URL; this server accepts writes' };
  return isDeepStrictEqual(await readIdentity(primary), await readIdentity(replica))
    ? {}
    : { requirement: 'name a standby of the database in DB_URL; this one follows another database' };
}

async function queryOne<Row>(client: pg.Client, text: string): Promise<Row> {
  return (await client.query(text)).rows[0] as Row;
}
