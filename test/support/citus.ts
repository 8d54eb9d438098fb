import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, appendFile, chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { chooseAccount } from '../../src/platform/database/embedded-server/server-account.ts';
import { distribute } from '../../src/platform/database/distribute.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { reservePort } from '../../src/platform/http/reserve-port.ts';
import { migrateJobs } from '../../src/platform/jobs/migrate-jobs.ts';
import { queryAsOwner, CLUSTER_VARIABLE, withDatabase, TEMPLATE, type TestCluster } from './cluster.ts';
import type { TestDatabase } from './database.ts';
import { createFolder } from './memory-folder.ts';
import { eventually } from './eventually.ts';

const OWNER = 'tally_owner';

/** Reason of a skipped test. */
export const NO_CITUS = 'no PostgreSQL with Citus; test/slow/build-citus.sh builds it';

export interface CitusOptions {
  /** Settings of PostgreSQL on each server. */
  settings?: Readonly<Record<string, string | number>>;
  /** Number of workers (default 2). With 0 one PostgreSQL without Citus starts, to compare with. */
  workers?: number;
  /** Number of shards of a table (default 4). It is small, since each test database is a copy of all of them. */
  shards?: number;
}

/**
 * Returns the folder with `postgres` and `initdb` of a server with Citus, or `undefined`. Throws if `CITUS_BIN` names a
 * folder without one.
 */
export async function findCitus(): Promise<string | undefined> {
  const named = process.env['CITUS_BIN'];
  const folders = named ? [named] : [18, 17, 16, 15].map((n) => `/usr/lib/postgresql/${n}/bin`);
  for (const bin of folders) {
    const pgConfig = await promisify(execFile)(join(bin, 'pg_config'), ['--pkglibdir']).catch(() => undefined);
    const library = pgConfig && join(pgConfig.stdout.trim(), 'citus.so');
    if (library && (await access(library).then(() => true, () => false))) return bin; // prettier-ignore
  }
  if (named) throw new Error(`CITUS_BIN names ${named}, which has no PostgreSQL with Citus.`);
  return undefined;
}

export interface Citus {
  /** Environment of a run of tests on this cluster. */
  env: Record<string, string>;
  cluster: TestCluster;
  /** Data folders of the servers, the coordinator first. */
  folders: string[];
  /** Process ids of the servers, the coordinator first. */
  pids: number[];
  /** Ends this server at once, as a crash does. 0 is the coordinator, 1 the first worker. */
  killServer(index: number): Promise<void>;
  /** Starts a killed server again. It may not be ready yet. */
  restartServer(index: number): void;
  /** Freezes this server, which then accepts connections but never responds. Returns how to resume it. */
  freezeServer(index: number): Promise<() => void>;
  /** Ends the servers and removes their files. */
  stop(): Promise<void>;
}

/** Starts a coordinator and workers with Citus on loopback, with a migrated, distributed database for tests to copy. */
export async function startCitus(
  bin: string,
  { settings = {}, workers: workerCount = 2, shards = 4 }: CitusOptions = {},
): Promise<Citus> {
  const group = await createServerGroup(bin);
  try {
    const urls: string[] = [];
    const citusSettings = { shared_preload_libraries: 'citus', 'citus.shard_count': shards, ...CITUS_SETTINGS };
    for (let number = 0; number <= workerCount; number += 1) {
      const port = await group.start(`server-${number}`, {
        settings: { ...(workerCount > 0 && citusSettings), ...settings },
      });
      urls.push(`postgres://${OWNER}:none@127.0.0.1:${port}/postgres`);
    }
    const [ownerUrl, ...workers] = urls as [string, ...string[]];
    for (const url of urls) {
      await eventually(() => queryAsOwner(url, 'select').then(() => true, () => false)); // prettier-ignore
      await queryAsOwner(url, `create database ${TEMPLATE}`);
      if (workerCount > 0) await queryAsOwner(withDatabase(url, TEMPLATE), 'create extension citus');
    }
    const template = withDatabase(ownerUrl, TEMPLATE);
    const formatNode = (url: string) => `'127.0.0.1', ${new URL(url).port}`;
    if (workerCount > 0) await queryAsOwner(template, `select citus_set_coordinator_host(${formatNode(ownerUrl)})`);
    for (const url of workers) await queryAsOwner(template, `select citus_add_node(${formatNode(url)})`);
    const createLoginUrl = (name: string) => ownerUrl.replace(/\/\/[^@]*@/, `//${name}:none@`);
    const cluster: TestCluster = {
      ownerUrl,
      ...(workerCount > 0 && { workers }),
      authenticator: createLoginUrl('authenticator'),
      service: createLoginUrl('service_authenticator'),
      assistant: createLoginUrl('assistant_authenticator'),
    };
    await migrate(template, { logins: cluster, afterMigrations: migrateJobs });
    if (workerCount > 0) await distribute(template);
    // PostgreSQL does not copy a database with an open connection, and Citus opens maintenance connections to each of
    // its databases.
    for (const url of urls) {
      await queryAsOwner(url, `alter database ${TEMPLATE} allow_connections false`);
      await queryAsOwner(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE}'`);
    }
    return {
      cluster,
      env: { [CLUSTER_VARIABLE]: JSON.stringify(cluster) },
      folders: urls.map((_, index) => join(group.folder, `server-${index}`)),
      get pids() {
        return group.servers.map(({ pid }) => pid!);
      },
      killServer: (index) => end(group.servers[index]!),
      restartServer: group.restart,
      freezeServer: (index) => freeze(group.servers[index]!.pid!),
      stop: group.stop,
    };
  } catch (error) {
    await group.stop();
    throw error;
  }
}

/**
 * Starts a cluster for the databases of this test and stops it when the test ends. The environment of the whole process
 * names the cluster, so the test's file must have the tag `alone`. Without an installed Citus the test is skipped.
 */
export async function startCitusForTest(t: TestContext, options?: CitusOptions): Promise<Citus> {
  const bin = await findCitus();
  if (bin === undefined) return t.skip(NO_CITUS);
  const citus = await startCitus(bin, options);
  const before = { ...process.env };
  t.onTestFinished(async () => {
    process.env = before;
    await citus.stop();
  });
  Object.assign(process.env, citus.env);
  return citus;
}

/** Returns the worker with this member's rows, as `host:port`. */
export async function readWorkerOf({ owner }: TestDatabase, idpId: string): Promise<string> {
  const [placement] = await owner<{ worker: string }>(
    `select format('%s:%s', nodename, nodeport) as worker from citus_shards
      where shardid = get_shard_id_for_distribution_column('public.accounts', $1::text)`,
    [idpId],
  );
  return placement!.worker;
}

/** Stops a server and its children with SIGSTOP. */
async function freeze(pid: number): Promise<() => void> {
  process.kill(pid, 'SIGSTOP');
  const { stdout } = await promisify(execFile)('ps', ['--ppid', String(pid), '-o', 'pid=']);
  const children = stdout.trim().split(/\s+/).map(Number);
  for (const child of children) process.kill(child, 'SIGSTOP');
  return () => {
    for (const stopped of [...children, pid]) {
      try {
        process.kill(stopped, 'SIGCONT');
      } catch (error) {
        // A connection's process may have ended since.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };
}

const CITUS_SETTINGS = { 'citus.node_conninfo': 'sslmode=disable', wal_level: 'logical' };

interface ServerOptions {
  /** Settings of PostgreSQL, which follow the defaults of tests. */
  settings?: Readonly<Record<string, string | number>>;
  /** Name of the superuser. */
  owner?: string;
  /** Database to create. */
  database?: string;
}

/** Servers of PostgreSQL on loopback in a temporary folder. */
export interface ServerGroup {
  folder: string;
  /** Account that runs the servers, if it is another than this process's. */
  account: { uid: number; gid: number } | null;
  servers: ChildProcess[];
  /** Creates a server in this subfolder, starts it and returns its port. It may not be ready yet. */
  start(name: string, options: ServerOptions): Promise<number>;
  /** Starts the server with this index again, which has ended. */
  restart(index: number): void;
  /** Ends the servers and removes their files. */
  stop(): Promise<void>;
}

/** Returns a group without servers. */
export async function createServerGroup(bin: string): Promise<ServerGroup> {
  const folder = await createFolder('tally-citus-');
  const account = await chooseAccount(folder);
  if (account) await chown(folder, account.uid, account.gid);
  const servers: ChildProcess[] = [];
  const names: string[] = [];
  const run = (name: string): ChildProcess =>
    spawn(join(bin, 'postgres'), ['-D', join(folder, name)], { cwd: '/', ...account, stdio: 'ignore' });
  return {
    folder,
    account,
    servers,
    async start(name, options) {
      const port = await createServer(bin, join(folder, name), account, options);
      names.push(name);
      servers.push(run(name));
      return port;
    },
    restart(index) {
      servers[index] = run(names[index]!);
    },
    async stop() {
      for (const server of servers.toReversed()) await end(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGQUIT');
  await ended;
}

/** Creates the data of a server on a free port, which it returns. */
async function createServer(
  bin: string,
  data: string,
  account: { uid: number; gid: number } | null,
  { settings: extraSettings = {}, owner = OWNER, database }: ServerOptions,
): Promise<number> {
  await mkdir(data, { mode: 0o700 });
  if (account) await chown(data, account.uid, account.gid);
  const runAs = { cwd: '/', ...account };
  await promisify(execFile)(
    join(bin, 'initdb'),
    ['-D', data, '-U', owner, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    runAs,
  );
  if (database) {
    const creation = promisify(execFile)(join(bin, 'postgres'), ['--single', '-D', data, 'postgres'], runAs);
    creation.child.stdin!.end(`create database ${database}\n`);
    await creation;
  }
  const reservedPort = await reservePort('127.0.0.1');
  await reservedPort.release();
  const settings = {
    port: reservedPort.port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    jit: 'off',
    shared_buffers: '64MB',
    max_connections: 300,
    max_worker_processes: 64,
    max_prepared_transactions: 300,
    ...extraSettings,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(data, 'postgresql.conf'), lines.join(''));
  return reservedPort.port;
}
