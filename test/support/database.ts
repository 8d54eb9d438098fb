import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectDatabase, type Database, type DatabaseUrls } from '../../src/platform/database/connect.ts';
import { CLUSTER_VARIABLE, withDatabase, startTestCluster, TEMPLATE, type TestCluster } from './cluster.ts';
import type { TestScope } from './test-scope.ts';

export interface TestDatabase {
  database: Database;
  /** Its name on the server. */
  name: string;
  urls: DatabaseUrls;
  ownerUrl: string;
  /** Whether its rows are spread over several servers. */
  distributed: boolean;
  /** Runs SQL as the owner, past every right: to arrange and to look, never for what is being tested. */
  owner<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Closes the connections. */
  close(): Promise<void>;
  /** Closes the connections and removes the database; once is enough, more does no harm. */
  drop(): Promise<void>;
}

/**
 * A database of its own with all migrations applied: a copy of the run's template. Call it in a `before` hook or in a
 * test; with the test's context it is dropped by itself. A file that is run by hand starts a server of its own.
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
    // A copy takes everything but the rights on the database itself, which the migrations narrow.
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

/** A database that another process of the run has made, and drops. */
export const openTestDatabase = async (name: string): Promise<TestDatabase> => openDatabase(await joinCluster(), name);

function openDatabase(cluster: TestCluster, name: string): TestDatabase {
  const ownerUrl = withDatabase(cluster.ownerUrl, name);
  const urls = {
    authenticator: withDatabase(cluster.authenticator, name),
    service: withDatabase(cluster.service, name),
    assistant: withDatabase(cluster.assistant, name),
  };
  const database = connectDatabase(urls, { distributed: cluster.workers !== undefined });
  // Tests look again and again for what they wait for: a connection for each look would cost more than what is tested.
  const owners = createPool(ownerUrl);
  let closed: Promise<unknown> | undefined;
  const close = async (): Promise<void> => void (await (closed ??= Promise.all([database.close(), owners.end()])));
  let dropped: Promise<void> | undefined;
  const drop = () =>
    (dropped ??= (async () => {
      await close();
      for (const url of [cluster.ownerUrl, ...(cluster.workers ?? [])]) await dropDatabase(url, name);
    })());
  const owner: TestDatabase['owner'] = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    (await owners.query(text, values.length > 0 ? [...values] : undefined)).rows as Row[];
  return { database, name, urls, ownerUrl, distributed: cluster.workers !== undefined, owner, close, drop };
}

/** A server that distributes tables looks after each database by a process of its own, which may come back. */
async function dropDatabase(url: string, name: string, attempts = 4): Promise<void> {
  await getPool(url)
    .query(`drop database ${name} with (force)`)
    .catch((error: { code?: string }) => {
      if (error.code !== '55006' || attempts === 1) throw error;
      return dropDatabase(url, name, attempts - 1);
    });
}

/** Connections that keep no process alive. */
function createPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, allowExitOnIdle: true });
  pool.on('error', () => {});
  return pool;
}

const pools = new Map<string, pg.Pool>();

/** This process's connections to the server itself, in which databases are made and dropped. */
function getPool(ownerUrl: string): pg.Pool {
  const pool = pools.get(ownerUrl) ?? createPool(ownerUrl);
  pools.set(ownerUrl, pool);
  return pool;
}

/** Whether members' rows are distributed over several servers in this run. */
export const isDistributedRun = (): boolean =>
  (JSON.parse(process.env[CLUSTER_VARIABLE] ?? '{}') as Partial<TestCluster>).workers !== undefined;

let clusterPromise: Promise<TestCluster> | undefined;

/** The run's server, or one for this process alone, which ends and is removed with it. */
export function joinCluster(): Promise<TestCluster> {
  const environmentCluster = process.env[CLUSTER_VARIABLE];
  if (environmentCluster) return Promise.resolve(JSON.parse(environmentCluster) as TestCluster);
  return (clusterPromise ??= startTestCluster().then(({ cluster }) => cluster));
}
