import pg from 'pg';
import { createKeyRing } from '../../src/embedded/identity/signing-keys.ts';
import { connectDatabase, type DatabaseUrls } from '../../src/platform/database/connect.ts';
import { startEmbedded } from '../../src/platform/database/embedded.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { migrateJobs } from '../../src/platform/jobs/migrate-jobs.ts';
import { createFolder } from './memory-folder.ts';
import { prepareData, sharePrepared } from './prepared-data.ts';

/** Name of the environment variable that passes the server of a test run to its processes. */
export const CLUSTER_VARIABLE = 'TALLY_TEST_CLUSTER';
export const TEMPLATE = 'tally_template';

export interface TestCluster {
  ownerUrl: string;
  authenticator: string;
  service: string;
  assistant: string;
  /** Owner's URLs of the servers with distributed members' rows, if this server is the coordinator of a cluster. */
  workers?: string[];
}

/**
 * Starts one server for a whole test run, without fsync, with a migrated database to copy. Server and files disappear
 * with this process, even after SIGKILL. Put `env` into the environment of the tests.
 */
export async function startTestCluster(): Promise<{
  cluster: TestCluster;
  env: Record<string, string>;
  stop(): Promise<void>;
}> {
  const dataDir = await createFolder('tally-test-');
  await prepareData(dataDir);
  const server = await startEmbedded({
    dataDir,
    secrets: { authenticator: 'authenticator-test', service: 'service-test', assistant: 'assistant-test' },
    throwaway: true,
    // Tests connect many times. At 4096 rounds each login takes 0.7 ms longer. Each worker may run several services.
    settings: { scram_iterations: '1', max_connections: '300' },
  });
  try {
    await queryAsOwner(server.ownerUrl, `alter role current_user password '${/:([^:@]+)@/.exec(server.ownerUrl)![1]}'`);
    await queryAsOwner(server.ownerUrl, `create database ${TEMPLATE}`);
    await migrate(withDatabase(server.ownerUrl, TEMPLATE), { logins: server.urls, afterMigrations: migrateJobs });
    await createSigningKey(server.urls);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const { ownerUrl, urls } = server;
  const cluster: TestCluster = { ownerUrl, ...urls, assistant: urls.assistant! };
  const env = { [CLUSTER_VARIABLE]: JSON.stringify(cluster), ...(await sharePrepared()) };
  return { cluster, env, stop: () => server.stop() };
}

/**
 * Stores a key of the embedded identity provider in the template. A provider without one generates it, which takes 70 to
 * 250 ms of processor time in each test.
 */
async function createSigningKey(urls: DatabaseUrls): Promise<void> {
  const database = connectDatabase({
    authenticator: withDatabase(urls.authenticator, TEMPLATE),
    service: withDatabase(urls.service, TEMPLATE),
  });
  await createKeyRing(database.service).current();
  await database.close();
}

/** Returns the URL of this login on another database of the server. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`);
}

/** Runs SQL as the server's owner over a new connection. */
export async function queryAsOwner<Row extends object>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text, values.length > 0 ? [...values] : undefined)).rows as Row[];
  } finally {
    await client.end();
  }
}
