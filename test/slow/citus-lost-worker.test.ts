// @module-tag slow
// @module-tag alone
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test, type TestContext } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { start } from '../../src/main.ts';
import { checkReadNode } from '../../src/platform/database/check-read-servers.ts';
import { buildNodeUrl } from '../../src/platform/database/read-nodes.ts';
import { type Citus, readWorkerOf, startCitusForTest } from '../support/citus.ts';
import { queryAsOwner, withDatabase } from '../support/cluster.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { sendRequest, TestBrowser } from '../support/identity.ts';
import { createFolder } from '../support/memory-folder.ts';
import { getDatabaseSettings, startService, type TestService } from '../support/service.ts';

/** Reads of members' rows, which the read nodes answer. */
const READS = [
  '/api/accounts',
  '/api/investments/holdings',
  '/api/net-worth',
  '/api/portfolio/settings',
  '/api/watchlist',
  '/api/connections',
];

const METRICS_TOKEN = 'token-of-the-metrics';

interface ClusterMember {
  /** Worker with the member's rows, as `host:port`. */
  node: string;
  call(method: string, path: string, body?: object): Promise<{ status: number }>;
}

interface RunningCluster {
  citus: Citus;
  service: TestService;
  nodes: string[];
  members: ClusterMember[];
}

test('answers 503 only to members of a killed worker', async (t) => {
  const { citus, service, members, nodes } = await startWithMembers(t);
  await citus.killServer(1);
  for (const { node, call } of members)
    for (const path of READS)
      assert.deepEqual([path, (await call('GET', path)).status], [path, node === nodes[0] ? 503 : 200]);
  for (const { node, call } of members) {
    const { status } = await call('POST', '/api/accounts', { name: 'More', currency: 'USD', balance: 1 });
    assert.equal(status, node === nodes[0] ? 503 : 201);
  }
  assert.deepEqual(await readLostNodes(service), [nodes[0]]);
  const metrics = await readMetrics(service);
  assert.match(metrics, new RegExp(`tally_database_node_up\\{node="${nodes[0]}"\\} 0`));
  assert.match(metrics, new RegExp(`tally_database_node_up\\{node="${nodes[1]}"\\} 1`));
  const newMembers: { node: string; status: number }[] = [];
  for (let count = 0; count < 12; count += 1) {
    const browser = new TestBrowser(service.url, service.url);
    const { userId, sessionId } = await browser.signUp();
    // citus_shards asks the lost worker, so this reads the coordinator's tables.
    const [placement] = await service.database.owner<{ node: string }>(
      `select format('%s:%s', n.nodename, n.nodeport) as node
         from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
        where p.shardid = get_shard_id_for_distribution_column('public.all_users', $1::text)`,
      [userId],
    );
    const authorization = `Bearer ${await browser.token(sessionId)}`;
    const { status } = await sendRequest(`${service.url}/api/me`, 'GET', undefined, { authorization });
    newMembers.push({ node: placement!.node, status });
  }
  assert.ok(
    nodes.every((node) => newMembers.some((member) => member.node === node)),
    'both workers are to have new members',
  );
  for (const { node, status } of newMembers) assert.equal(status, node === nodes[0] ? 503 : 200);
});

test('answers members of other workers while one worker is frozen', async (t) => {
  const { citus, service, members, nodes } = await startWithMembers(t);
  // A node that a busy machine reaches too late is skipped for some seconds.
  await eventually(async () => {
    for (const { call } of members) await readManyTimes(call);
    const readers = await Promise.all(citus.cluster.workers!.map(countReaders));
    return readers.every((count) => count > 0);
  });

  const resume = await citus.freezeServer(1);
  t.onTestFinished(() => resume());
  const times: Record<'lost' | 'others', number[]> = { lost: [], others: [] };
  const callTimed = async ({ node, call }: ClusterMember, method: string, path: string, body?: object) => {
    const started = performance.now();
    const { status } = await call(method, path, body);
    times[node === nodes[0] ? 'lost' : 'others'].push(performance.now() - started);
    return [method, path, status];
  };
  // More requests of each worker's members than the pools have connections, in three rounds.
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(
      members.flatMap((member) =>
        READS.map(async (path) =>
          assert.deepEqual(await callTimed(member, 'GET', path), ['GET', path, member.node === nodes[0] ? 503 : 200]),
        ),
      ),
    );
    console.log(
      `Round ${round + 1}, longest of the lost worker's members and of others:`,
      `${Math.max(...times.lost).toFixed(0)} ms, ${Math.max(...times.others).toFixed(0)} ms`,
    );
    times.lost = [];
    times.others = [];
  }
  for (const member of members) {
    const account = { name: 'More', currency: 'USD', balance: 1 };
    const [, , status] = await callTimed(member, 'POST', '/api/accounts', account);
    assert.equal(status, member.node === nodes[0] ? 503 : 201);
  }
  assert.deepEqual(await readLostNodes(service), [nodes[0]]);

  resume();
  await eventually(async () => (await readLostNodes(service)) === undefined);
  for (const { call } of members)
    for (const path of READS) await eventually(async () => (await call('GET', path)).status === 200);
});

test('starts only with read nodes that are workers and accept the login, and skips one that is down', async (t) => {
  const { citus, nodes, db } = await startCluster(t);
  const [first = ''] = nodes;
  const check = (name: string, address = db.urls.authenticator) =>
    checkReadNode(db.urls.service, { name, url: buildNodeUrl(address, name) });
  assert.equal(await check(first), undefined);
  const problem = (await check('worker-9:5432'))!;
  assert.ok(nodes.every((node) => problem.includes(node)) && problem.endsWith('unlike "worker-9:5432".'));
  const withoutDatabase = withDatabase(db.urls.authenticator, 'missing');
  assert.match((await check(first, withoutDatabase))!, /database "missing" does not exist/);
  assert.match((await check(first, db.ownerUrl))!, /obeys row-level security/);
  const dataDir = await createFolder('tally-service-');
  t.onTestFinished(() => rm(dataDir, { recursive: true }));
  const settings = { ...getDatabaseSettings(db), DATA_DIR: dataDir, WORKER: 'off', DB_READ_NODES: nodes.join(',') };
  const startWithNodes = (seed: boolean) => start(loadConfig(settings), { seed });
  // The first start writes rows on each worker.
  await (await startWithNodes(true)).stop();
  const [worker = ''] = citus.cluster.workers!;
  await queryAsOwner(worker, 'set citus.enable_ddl_propagation to off; alter role authenticator nologin');
  await assert.rejects(startWithNodes(false), /DB_READ_NODES must .* not permitted to log in/);
  await citus.killServer(1);
  await assert.rejects(check(first), { name: 'UnreachableServer', setting: 'DB_READ_NODES' });
  const service = await startWithNodes(false);
  t.onTestFinished(() => service.stop());
  assert.deepEqual(await readLostNodes(service), [first]);
});

/** Starts a cluster. Its database ends with it, since it cannot be dropped without the lost worker. */
async function startCluster(t: TestContext) {
  const citus = await startCitusForTest(t);
  return { citus, nodes: citus.cluster.workers!.map((url) => new URL(url).host), db: await createTestDatabase() };
}

/** Starts a cluster and a service that reads from both workers, with members on both. */
async function startWithMembers(t: TestContext): Promise<RunningCluster> {
  const { citus, nodes, db } = await startCluster(t);
  const settings = { SANDBOX: 'on', WORKER: 'off', API_RATE_LIMIT: '9999', METRICS_TOKEN };
  const service = await startService({ ...settings, DB_READ_NODES: nodes.join(',') }, db);
  t.onTestFinished(() => service.stop());
  const members: ClusterMember[] = [];
  while (members.length < 8 || !nodes.every((node) => members.some((member) => member.node === node))) {
    const browser = new TestBrowser(service.url, service.url);
    const { userId, sessionId } = await browser.signUp();
    const call = async (method: string, path: string, body?: object) => {
      const authorization = `Bearer ${await browser.recentToken(sessionId)}`;
      return await sendRequest(service.url + path, method, body, { authorization });
    };
    assert.equal((await call('POST', '/api/accounts', { name: 'Cash', currency: 'USD', balance: 1 })).status, 201);
    members.push({ node: await readWorkerOf(service.database, userId), call });
  }
  return { citus, service, nodes, members };
}

async function readManyTimes(call: ClusterMember['call']): Promise<void> {
  for (const path of READS)
    for (let count = 0; count < 3; count += 1) assert.equal((await call('GET', path)).status, 200);
}

/** Returns the number of connections that a service has to the worker for reads of members. */
async function countReaders(worker: string): Promise<number> {
  const text = `select count(*)::int as readers from pg_stat_activity where usename = 'authenticator'`;
  const [row] = await queryAsOwner<{ readers: number }>(worker, text);
  return row!.readers;
}

async function readLostNodes(service: { url: string }): Promise<string[] | undefined> {
  const response = await fetch(`${service.url}/readyz`);
  assert.equal(response.status, 200);
  return ((await response.json()) as { lost_nodes?: string[] }).lost_nodes;
}

async function readMetrics(service: TestService): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`${service.url}/metrics`, { headers })).text();
}
