import { isDeepStrictEqual } from 'node:util';
import { checkMemberLogin, checkSetting, type ServerCheck, toSentence } from './check-logins.ts';
import type { DatabaseUrls } from './connect.ts';
import { readIdentity } from './database-identity.ts';
import { createCheckClient } from './disposable-client.ts';
import { isDistributed } from './distribute.ts';
import { LIST_WORKERS, type Worker } from './find-workers.ts';

/**
 * Returns the checks of the servers that only answer reads: the replica and each read node. The service works without
 * them, so a caller may ignore `UnreachableServer`.
 */
export function listReadServerChecks({ service, replica, readNodes = [] }: DatabaseUrls): readonly ServerCheck[] {
  return [
    ...(replica ? [{ login: 'DB_REPLICA_URL', check: () => checkReplica(service, replica) }] : []),
    ...readNodes.map((node) => ({ login: `DB_READ_NODES ${node.name}`, check: () => checkReadNode(service, node) })),
  ];
}

/**
 * Checks that the second URL leads to a streaming standby of the first one's database. Such a standby has that database
 * and schema and accepts no writes.
 */
export function checkReplica(primaryUrl: string, replicaUrl: string): Promise<string | undefined> {
  const requirement = 'name a standby that accepts the login of the service';
  return checkSetting('DB_REPLICA_URL', requirement, replicaUrl, async (replica) => {
    const { rows } = await replica.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    if (!rows[0]!.standby) return 'name a standby of the database in DB_URL; this server accepts writes';
    await using primary = createCheckClient(primaryUrl);
    await primary.connect();
    return isDeepStrictEqual(await readIdentity(primary), await readIdentity(replica))
      ? undefined
      : 'name a standby of the database in DB_URL; this one follows another database';
  });
}

/** Checks that a read node is a worker of the cluster and accepts the login of members. */
export async function checkReadNode(
  service: string,
  { name, url }: { name: string; url: string },
): Promise<string | undefined> {
  const setting = 'DB_READ_NODES';
  if (!(await isDistributed(service)))
    return toSentence(setting, 'be empty, since the database in DB_URL is no Citus cluster');
  const workers = await listWorkers(service);
  if (!workers.includes(name))
    return toSentence(setting, `name workers as the cluster does (${workers.join(', ')}), unlike "${name}"`);
  const requirement = `name workers that accept the login and database in DB_URL, unlike "${name}"`;
  return await checkSetting(setting, requirement, url, async (client) =>
    (await checkMemberLogin(client)) === undefined
      ? undefined
      : `name workers where the login in DB_URL obeys row-level security and may become "authenticated", unlike "${name}"`,
  );
}

async function listWorkers(service: string): Promise<string[]> {
  await using client = createCheckClient(service);
  await client.connect();
  const { rows } = await client.query<Worker>(LIST_WORKERS);
  return rows.map(({ name }) => name);
}
