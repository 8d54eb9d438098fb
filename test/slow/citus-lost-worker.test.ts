// @module-tag slow
// @module-tag alone
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { findCitus, startCitus } from '../support/citus.ts';
import { createTestDatabase } from '../support/database.ts';
import { sendRequest, TestBrowser } from '../support/identity.ts';
import { startService } from '../support/service.ts';

// Runs in a process of its own, because its databases are on a separate cluster.

const bin = await findCitus();

/** Reads of rows of the member alone. */
const READS = [
  '/api/watchlist',
  '/api/accounts',
  '/api/investments/holdings',
  '/api/net-worth',
  '/api/portfolio/settings',
];

test('answers 503 to members of a lost worker, and reads of all others', async (t) => {
  if (bin === undefined) return t.skip('no PostgreSQL with Citus; test/slow/build-citus.sh builds it');
  const citus = await startCitus(bin);
  const before = { ...process.env };
  t.onTestFinished(async () => {
    process.env = before;
    await citus.stop();
  });
  Object.assign(process.env, citus.env);
  // The database ends with the cluster, since it cannot be dropped without the lost worker.
  const db = await createTestDatabase();
  const service = await startService({ SANDBOX: 'on', WORKER: 'off', API_RATE_LIMIT: '9999' }, db);
  t.onTestFinished(() => service.stop());
  const ports = citus.cluster.workers!.map((worker) => Number(new URL(worker).port));
  const members: { port: number; call(method: string, path: string, body?: object): Promise<{ status: number }> }[] =
    [];
  for (let count = 0; count < 8; count += 1) {
    const browser = new TestBrowser(service.url, service.url);
    const { userId, sessionId } = await browser.signUp();
    const authorization = `Bearer ${await browser.token(sessionId)}`;
    const [placement] = await service.database.owner<{ nodeport: number }>(
      `select nodeport from citus_shards where shardid = get_shard_id_for_distribution_column('public.accounts', $1::text)`,
      [userId],
    );
    const call = (method: string, path: string, body?: object) =>
      sendRequest(service.url + path, method, body, { authorization });
    assert.equal((await call('POST', '/api/accounts', { name: 'Cash', currency: 'USD', balance: 1 })).status, 201);
    members.push({ port: placement!.nodeport, call });
  }
  assert.ok(
    ports.every((port) => members.some((member) => member.port === port)),
    'both workers have members',
  );
  await citus.killWorker(0);
  for (const { port, call } of members)
    for (const path of READS)
      assert.deepEqual([path, (await call('GET', path)).status], [path, port === ports[0] ? 503 : 200]);
  for (const { port, call } of members) {
    const { status } = await call('POST', '/api/accounts', { name: 'More', currency: 'USD', balance: 1 });
    assert.equal(status, port === ports[0] ? 503 : 201);
  }
  for (let count = 0; count < 5; count += 1) {
    const newMember = new TestBrowser(service.url, service.url);
    const { sessionId } = await newMember.signUp();
    const authorization = `Bearer ${await newMember.token(sessionId)}`;
    // A new member is written on every server.
    assert.equal((await sendRequest(`${service.url}/api/me`, 'GET', undefined, { authorization })).status, 503);
  }
});
