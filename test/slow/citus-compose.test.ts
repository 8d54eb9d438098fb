// @module-tag slow
// @module-tag alone
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { startModelApi } from '../fakes/model-api.ts';
import { findCitus, NO_CITUS } from '../support/citus.ts';
import { openTestDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';
import {
  PASSWORDS,
  runSql,
  startComposeCluster,
  type ComposeCluster,
  type Login,
} from './citus/start-compose-cluster.ts';
import { walkMemberRoutes } from './citus/walk-member-routes.ts';

// Runs in a process of its own, because its databases are on a separate cluster.

const bin = await findCitus();
const before = { ...process.env };
const WORKERS = ['worker-1', 'worker-2'] as const;
const OWNER_PASSWORD = 'owner-secret';
let cluster: ComposeCluster;
const certificate = (name: string) => join(cluster.certificates, name);
const asCoordinator = (): Login => ({ user: 'postgres', certificate: certificate('coordinator') });

beforeEach((t) => t.skip(bin === undefined, NO_CITUS));

beforeAll(async () => {
  if (bin === undefined) return;
  cluster = await startComposeCluster(bin);
  Object.assign(process.env, cluster.env);
  assert.match(await cluster.runCommand('migrate'), /^Distributed watchlist_items\.$/m);
  await runSql(
    await cluster.connect('coordinator', asCoordinator()),
    `alter role postgres password '${OWNER_PASSWORD}'`,
  );
});
afterAll(async () => {
  process.env = before;
  await cluster?.stop();
});

test('serves every route of a member when TLS and certificates protect each connection', async (t) => {
  const database = await openTestDatabase('tally');
  const model = await startModelApi();
  t.onTestFinished(() => model.close());
  const service = await startService(
    {
      SANDBOX: 'on',
      WORKER: 'off',
      API_RATE_LIMIT: '9999',
      ANTHROPIC_API_KEY: 'sk-test-key',
      ANTHROPIC_BASE_URL: model.url,
    },
    database,
  );
  t.onTestFinished(() => service.stop());
  let visits = 0;
  await walkMemberRoutes(service, async () => {
    visits += 1;
  });
  assert.ok(visits > 50);
  for (const worker of WORKERS) {
    const connections = await runSql<{ name: string; encrypted: boolean }>(
      await cluster.connect(worker, asCoordinator()),
      `select distinct s.client_dn as name, s.ssl as encrypted
         from pg_stat_activity a join pg_stat_ssl s using (pid) where a.application_name like 'citus_internal%'`,
    );
    assert.ok(connections.some(({ name }) => name === '/CN=coordinator'), JSON.stringify(connections)); // prettier-ignore
    assert.ok(connections.every(({ encrypted }) => encrypted));
  }
});

test('moves shards to another worker when each server has a certificate', async () => {
  const [shard] = await runSql<{ shardid: string; nodeport: number }>(
    await cluster.connect('coordinator', asCoordinator()),
    `select shardid, nodeport from citus_shards where table_name = 'public.accounts'::regclass limit 1`,
  );
  const from = shard!.nodeport;
  const to = WORKERS.map((worker) => cluster.ports[worker]).find((port) => port !== from)!;
  const move = `select citus_move_shard_placement(${shard!.shardid}, 'localhost', ${from}, 'localhost', ${to}, 'force_logical')`;
  await runSql(await cluster.connect('coordinator', asCoordinator()), move);
  const placed = await runSql<{ nodeport: number }>(
    await cluster.connect('coordinator', asCoordinator()),
    `select nodeport from citus_shards where shardid = ${shard!.shardid}`,
  );
  assert.deepEqual(placed, [{ nodeport: to }]);
});

describe('a worker rejects', () => {
  const NO_ENTRY = /^no pg_hba\.conf entry/;
  const rejections: [string, () => Login, RegExp][] = [
    ...['postgres', 'authenticated', 'service_role'].map((user): [string, () => Login, RegExp] => [
      `${user} without a certificate`,
      () => ({ user }),
      /^connection requires a valid client certificate$/,
    ]),
    ['the owner’s password', () => ({ user: 'postgres', password: OWNER_PASSWORD }), /^connection requires a valid client certificate$/], // prettier-ignore
    ['the password of DB_URL', () => ({ user: 'authenticator', password: PASSWORDS.authenticator }), NO_ENTRY],
    ['DB_SERVICE_ROLE_KEY', () => ({ user: 'service_authenticator', password: PASSWORDS.service }), NO_ENTRY],
    ['the owner’s certificate', () => ({ user: 'postgres', certificate: certificate('owner') }), /^certificate authentication failed/], // prettier-ignore
    ['a service’s certificate', () => ({ user: 'postgres', certificate: certificate('client') }), /^certificate authentication failed/], // prettier-ignore
    ['a server’s certificate for another login', () => ({ user: 'service_authenticator', certificate: certificate('coordinator') }), NO_ENTRY], // prettier-ignore
    ['plain text', () => ({ user: 'postgres', plainText: true }), NO_ENTRY],
    ['the certificate of another authority', () => ({ user: 'postgres', certificate: issueElsewhere() }), /unknown ca|ECONNRESET|terminated/], // prettier-ignore
  ];
  test.each(rejections)('%s', async (_, getLogin, reason) => {
    for (const worker of WORKERS) await assert.rejects(cluster.connect(worker, getLogin()), { message: reason });
    // The same server accepts the coordinator.
    assert.deepEqual(await runSql(await cluster.connect(WORKERS[0], asCoordinator()), 'select 1 as one'), [{ one: 1 }]);
  });
});

describe('the coordinator rejects', () => {
  test.each<[string, () => Login, RegExp]>([
    ['the owner’s password', () => ({ user: 'postgres', password: OWNER_PASSWORD }), /valid client certificate/],
    ['a member’s role without a certificate', () => ({ user: 'authenticated' }), /valid client certificate/],
    ['a wrong password', () => ({ user: 'authenticator', password: PASSWORDS.service }), /^password authentication failed/], // prettier-ignore
    ['the password of DB_URL in plain text', () => ({ user: 'authenticator', password: PASSWORDS.authenticator, plainText: true }), /^no pg_hba/], // prettier-ignore
  ])('%s', async (_, getLogin, reason) => {
    await assert.rejects(cluster.connect('coordinator', getLogin()), { message: reason });
  });
});

/** Returns the folder of a coordinator's certificate from an authority that the servers do not know. */
function issueElsewhere(): string {
  const folder = join(cluster.certificates, 'elsewhere');
  const script = join(import.meta.dirname, '../../deploy/citus/certificates.sh');
  execFileSync('sh', [script, folder, `coordinator:${process.getuid!()}`], { stdio: 'pipe' });
  return join(folder, 'coordinator');
}
