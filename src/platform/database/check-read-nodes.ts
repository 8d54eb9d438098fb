import { checkMemberLogin, isTemporary } from './check-logins.ts';
import type { DatabaseUrls } from './connect.ts';
import { createCheckClient } from './disposable-client.ts';
import { isDistributed } from './distribute.ts';
import { findTlsRequirement } from './tls-errors.ts';

interface ReadNodesCheck {
  /** Requirement that the setting violates, as the end of a sentence. */
  requirement?: string | undefined;
  /** Nodes that do not respond, which reads skip until they do. */
  unavailable: { name: string; error: Error }[];
}

/** Checks whether each read node is a worker of the cluster that accepts the login of members. */
export async function checkReadNodes({ service, readNodes = [] }: DatabaseUrls): Promise<ReadNodesCheck> {
  const unavailable: ReadNodesCheck['unavailable'] = [];
  if (readNodes.length === 0) return { unavailable };
  if (!(await isDistributed(service)))
    return { requirement: 'be empty, since the database in DB_URL is no Citus cluster', unavailable };
  const workers = await listWorkers(service);
  for (const { name, url } of readNodes) {
    if (!workers.includes(name))
      return { requirement: `name workers as the cluster does (${workers.join(', ')}), unlike "${name}"`, unavailable };
    await using client = createCheckClient(url);
    try {
      await client.connect();
    } catch (thrown) {
      const error = thrown as Error & { code?: string };
      const tlsRequirement = findTlsRequirement(error, 'DB_SSLROOTCERT');
      if (tlsRequirement !== undefined) return { requirement: tlsRequirement, unavailable };
      if (!isTemporary(error))
        return {
          requirement: `name workers that accept the login and database in DB_URL, unlike "${name}" (${error.message})`,
          unavailable,
        };
      unavailable.push({ name, error });
      continue;
    }
    if ((await checkMemberLogin(client)) !== undefined)
      return {
        requirement: `name workers where the login in DB_URL obeys row-level security and may become "authenticated", unlike "${name}"`,
        unavailable,
      };
  }
  return { unavailable };
}

async function listWorkers(service: string): Promise<string[]> {
  await using client = createCheckClient(service);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select format('%s:%s', nodename, nodeport) as name from pg_dist_node
      where noderole = 'primary' and groupid > 0 order by 1`,
  );
  return rows.map(({ name }) => name);
}
