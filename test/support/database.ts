import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectDatabase, type Database, type DatabaseUrls } from '../../src/platform/database/connect.ts';
import { CLUSTER_VARIABLE, withDatabase, startTestCluster, TEMPLATE, type TestCluster } from './cluster.ts';
import type { TestScope } from './test-scope.ts';

export interface TestDatabase {
  database: Database;
  /** Name of the database on the server. */
  name: string;
  urls: DatabaseUrls;
  ownerUrl: string;
  /** True if its rows are distributed over several servers. */
  distributed: boolean;
  /**
   * Runs SQL as the owner without row-level security, to arrange and inspect data. Never use it for the tested
   * behavior.
   */
  owner<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Closes the connections. */
  close(): Promise<void>;
  /** Closes the connections and drops the database. Further calls have no effect. */
  drop(): Promise<void>;
}

/**
 * Creates a migrated database as a copy of the run's template. Call it in a `before` hook or in a test. With the test's
 * context the database is dropped at the end. A file that runs on its own starts its own server.
 */
export async function createTestDatabase(
  t?: TestScope,
  { template = TEMPLATE }: { template?: string } = {},
): Promise<TestDatabase> {
  const cluster = await joinCluster();
  const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`;
  for (const url of [cluster.ownerUrl, ...(cluster.workers ?? [])]) {
    const server = getPool(url);
    await server.query(`create database ${name} template ${template} strategy file_copy`);
    // A copy lacks the rights on the database itself, which the migrations narrow.
    await server.query(
      'update pg_database copy set datacl = original.datacl from pg_database original where copy.datname = $1 ' +
        'and original.datname = $2',
      [name, template],
    );
  }
  const database = openDatabase(cluster, name);
  t?.onTestFinished(database.drop);
  return database;
}

/** Opens a database that another process of the run has created and drops. */
export const openTestDatabase = async (name: string): Promise<TestDatabase> => openDatabase(await joinCluster(), name);

function openDatabase(cluster: TestCluster, name: string): TestDatabase {
  const ownerUrl = withDatabase(cluster.ownerUrl, name);
  const urls = {
    authenticator: withDatabase(cluster.authenticator, name),
    service: withDatabase(cluster.service, name),
    assistant: withDatabase(cluster.assistant, name),
  };
  const database = connectDatabase(urls, { distributed: cluster.workers !== undefined });
  // Tests poll. A connection for each poll would cost more than the tested work.
  const owners = createPool(ownerUrl);
  let closed: Promise<unknown> | undefined;
  const close = async (): Promise<void> => {
    closed ??= Promise.all([database.close(), owners.end()]);
    await closed;
  };
  let dropped: Promise<void> | undefined;
  const drop = () => {
    dropped ??= (async () => {
      await close();
      for (const url of [cluster.ownerUrl, ...(cluster.workers ?? [])]) await dropDatabase(url, name);
    })();
    return dropped;
  };
  const owner: TestDatabase['owner'] = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    (await owners.query(text, values.length > 0 ? [...values] : undefined)).rows as Row[];
  return { database, name, urls, ownerUrl, distributed: cluster.workers !== undefined, owner, close, drop };
}

/**
 * Drops a database, with retries: a server that distributes tables runs a maintenance process per database, which may
 * reconnect.
 */
async function dropDatabase(url: string, name: string, attempts = 4): Promise<void> {
  await getPool(url)
    .query(`drop database ${name} with (force)`)
    .catch((error: { code?: string }) => {
      if (error.code !== '55006' || attempts === 1) throw error;
      return dropDatabase(url, name, attempts - 1);
    });
}

/** Creates a pool whose connections keep no process alive. */
function createPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, allowExitOnIdle: true });
  pool.on('error', () => {});
  return pool;
}

const pools = new Map<string, pg.Pool>();

/** Returns this process's pool on the server itself, which creates and drops databases. */
function getPool(ownerUrl: string): pg.Pool {
  const pool = pools.get(ownerUrl) ?? createPool(ownerUrl);
  pools.set(ownerUrl, pool);
  return pool;
}

/** Returns true if members' rows are distributed over several servers in this run. */
export const isDistributedRun = (): boolean =>
  (JSON.parse(process.env[CLUSTER_VARIABLE] ?? '{}') as Partial<TestCluster>).workers !== undefined;

let clusterPromise: Promise<TestCluster> | undefined;

/** Returns the run's server, or a new one for this process, which ends with it. */
export function joinCluster(): Promise<TestCluster> {
  const environmentCluster = process.env[CLUSTER_VARIABLE];
  if (environmentCluster) return Promise.resolve(JSON.parse(environmentCluster) as TestCluster);
  clusterPromise ??= startTestCluster().then(({ cluster }) => cluster);
  return clusterPromise;
}
