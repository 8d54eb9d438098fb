// @module-tag slow
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, test, type TestContext } from 'vitest';
import { listProcesses, type ServiceProcess, startService } from './support/service-process.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { openMetricsPeers, start } from '../src/main.ts';
import { startFakeRedis } from './fakes/redis.ts';
import type { TestDatabase } from './support/database.ts';
import { eventually, eventuallyEquals } from './support/eventually.ts';
import { createSeededDatabase, getDatabaseSettings } from './support/service.ts';
import { createScope, type TestScope } from './support/test-scope.ts';

const METRICS_TOKEN = 'a-token-of-the-metrics';
const TWO = ['bin/tally.mjs', 'start', '--processes', '2'];

/** Starts two processes on one port beside a Redis. All of them end with the test. */
async function startTwoProcesses(t: TestScope, settings: Record<string, string>): Promise<ServiceProcess> {
  const redis = await startFakeRedis();
  t.onTestFinished(() => redis.close());
  const service = startService({ REDIS_URL: redis.url, METRICS_TOKEN, ...settings }, TWO);
  t.onTestFinished(() => service.end('SIGKILL'));
  await service.ready;
  return service;
}

const createFolder = (t: TestScope): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-processes-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Returns the ids of the processes that a service started for itself, as Linux lists them. */
const listSiblingPids = ({ child }: ServiceProcess): number[] =>
  readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--attach'));

/** Reads a value of the metrics over a new connection, which may reach either process. */
async function readMetric(url: string, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}`, connection: 'close' };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/stat`);

const isLinux = process.platform === 'linux';

const skipElsewhere = (t: TestContext): void => t.skip(!isLinux, 'sharing a port is tested on Linux');

describe('two processes on one port with a database of their own', () => {
  const scope = createScope();
  let db: TestDatabase;
  let service: ServiceProcess;
  let url: string;
  beforeAll(async () => {
    if (!isLinux) return;
    db = (await createSeededDatabase(scope)).database;
    const file = join(createFolder(scope), 'file');
    writeFileSync(file, '');
    // Even root cannot create this folder, so nothing is written there.
    service = await startTwoProcesses(scope, {
      ...getDatabaseSettings(db),
      LOG_LEVEL: 'warn',
      DATA_DIR: join(file, 'data'),
    });
    url = await service.ready;
  });
  afterAll(scope.end);
  beforeEach(skipElsewhere);

  test('report the values of both processes from each process', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) assert.equal(await readMetric(url, 'tally_processes'), 2);
  });
  test('store shared secrets in the database when no setting provides them', async () => {
    const names = await db.owner<{ name: string }>('select name from tally.shared_secrets order by name');
    assert.deepEqual(
      names.map(({ name }) => name),
      ['demo_access_operator_token', 'idp_publishable_key', 'idp_secret_key', 'idp_webhook_secret'],
    );
  });
  test('run jobs in only one process', async () => {
    const workers = await db.owner(
      `select distinct a.pid from pg_locks l join pg_stat_activity a using (pid) where l.locktype = 'advisory'
         and a.application_name = 'tally worker' and a.datname = current_database()`,
    );
    assert.equal(workers.length, 1);
  });
  test('keep the port from another service although the system would share it', async () => {
    const [, port] = /:(\d+)$/.exec(url)!;
    const config = loadConfig({ ...getDatabaseSettings(db), PORT: port!, REDIS_URL: 'redis://127.0.0.1:1' });
    await assert.rejects(
      start(config, { metricsPeers: openMetricsPeers() }),
      /The port \d+ of 127\.0\.0\.1 is in use by another program/,
    );
  });
  test('replace a killed process while the other one serves', async () => {
    const [killed] = listSiblingPids(service);
    process.kill(killed!, 'SIGKILL');
    await eventually(() => listSiblingPids(service).some((pid) => pid !== killed));
    await eventuallyEquals(() => readMetric(url, 'tally_processes'), 2);
    assert.match(service.output(), /^tally start: Worker process exited \(SIGKILL\); restarting\.$/m);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  });
  test('end in order when the first process receives a signal', async () => {
    const siblings = listSiblingPids(service);
    assert.equal(await service.end('SIGTERM'), 0);
    assert.deepEqual(siblings.filter(isAlive), []);
  });
});

test('stops all processes when the owner of the embedded database exits', async (t) => {
  skipElsewhere(t);
  const folder = createFolder(t);
  const service = await startTwoProcesses(t, { DATA_DIR: folder });
  const url = await service.ready;
  const siblings = listSiblingPids(service);
  assert.equal(siblings.length, 1);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const response = await fetch(`${url}/readyz`, { headers: { connection: 'close' } });
    assert.equal(response.status, 200, await response.text());
  }
  await service.end('SIGKILL');
  await eventually(() => siblings.every((pid) => !isAlive(pid)) && listProcesses(folder).length === 0);
});
