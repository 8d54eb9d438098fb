import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './service-process.ts';
import { reservePort } from '../../src/platform/http/reserve-port.ts';
import { createApiKey } from '../../src/features/token-api/create-api-key.ts';
import { startFakeRedis } from '../fakes/redis.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { SITE } from './identity.ts';
import { getDatabaseSettings } from './service.ts';

const METRICS_TOKEN = 'a-token-of-the-metrics';

export interface SeveralProcesses {
  url: string;
  /** Returns the id of the first process and those of its children. Linux only. */
  listPids(): number[];
  /** Returns a metric of all processes together. Several series are added up. */
  readMetric(name: string): Promise<number>;
  output(): string;
  stop(): Promise<void>;
}

/** Starts a Redis for the limits: the server in PATH, else a fake that supports only the script. */
export async function startRedis(): Promise<{ url: string; kind: string; stop(): Promise<void> }> {
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    const fake = await startFakeRedis();
    return { url: fake.url, kind: 'an embedded fake of Redis', stop: () => fake.close() };
  }
  const reservedPort = await reservePort('127.0.0.1');
  await reservedPort.release();
  const args = ['--port', String(reservedPort.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server: ChildProcess = spawn('redis-server', args, { stdio: 'ignore' });
  const ended = once(server, 'exit');
  return {
    url: `redis://127.0.0.1:${reservedPort.port}`,
    kind: 'redis-server',
    async stop() {
      server.kill('SIGKILL');
      await ended;
    },
  };
}

/** Starts the whole service like `tally start --processes N` on this database, ready for requests. */
export async function startSeveral(
  db: TestDatabase,
  { processes, redisUrl, settings = {} }: { processes: number; redisUrl: string; settings?: Record<string, string> },
): Promise<SeveralProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-several-'));
  const service = startService(
    { ...getDatabaseSettings(db), DATA_DIR: folder, REDIS_URL: redisUrl, METRICS_TOKEN, BASE_URL: SITE, ...settings },
    ['bin/tally.mjs', 'start', '--processes', String(processes)],
  );
  const url = await service.ready;
  const read = async (name: string): Promise<number> => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}`, connection: 'close' };
    const text = await (await fetch(`${url}/metrics`, { headers })).text();
    const values = [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
      Number(value),
    );
    return values.reduce((sum, value) => sum + value, 0);
  };
  await eventually(async () => (await read('tally_processes')) === processes);
  return {
    url,
    listPids: () => [service.child.pid!, ...listChildPids(service.child.pid!)],
    readMetric: read,
    output: () => service.output(),
    async stop() {
      await service.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a database with a key for counting (usage tier 1). */
export async function prepareDatabase(): Promise<{ db: TestDatabase; key: string }> {
  const db = await createTestDatabase();
  const sql = db.database.service;
  const created = await createApiKey(sql, { organisation: 'Measured', usageTier: 1 }, 'measured');
  if (!created.ok) throw new Error('no key could be made');
  return { db, key: created.key };
}

const listChildPids = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('--attach'));
