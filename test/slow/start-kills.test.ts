// @module-tag slow
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { listProcesses, type ServiceProcess, startService } from '../support/service-process.ts';
import { startEmbedded } from '../../src/platform/database/embedded.ts';
import { seeded } from '../support/seeded.ts';
import { seed } from '../support/long-tests.ts';
import { eventually } from '../support/eventually.ts';

/* The next start must recover a data directory after a start that was killed at any moment. */

const KILLS = 6;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tally-start-kills-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('starts after the first start was killed at any moment', async () => {
  console.log(`SEED=${seed}`);
  const startupMs = await timeStart(join(folder, 'measured'));
  const nextRandom = seeded(seed);
  for (let i = 0; i < KILLS; i += 1)
    await startAndKill(join(folder, `first-${i}`), ((i + nextRandom(1000) / 1000) / KILLS) * startupMs);
});

test('starts after a later start was killed at any moment', async () => {
  console.log(`SEED=${seed}`);
  const dataDir = join(folder, 'later');
  await timeStart(dataDir);
  const startupMs = await timeStart(dataDir);
  const nextRandom = seeded(seed);
  for (let i = 0; i < KILLS; i += 1) await startAndKill(dataDir, ((i + nextRandom(1000) / 1000) / KILLS) * startupMs);
});

test('starts twice when two processes start at once on an empty external database', async () => {
  const server = await startEmbedded({
    dataDir: join(folder, 'external'),
    secrets: { authenticator: 'one', service: 'two', assistant: 'three' },
    throwaway: true,
  });
  try {
    const settings = { DB_URL: server.urls.authenticator, DB_SERVICE_ROLE_KEY: 'two', DB_OWNER_URL: server.ownerUrl };
    const both = ['a', 'b'].map((name) => startService({ ...settings, DATA_DIR: join(folder, `external-${name}`) }));
    try {
      for (const service of both) assert.equal((await fetch(`${await service.ready}/readyz`)).status, 200);
    } finally {
      for (const service of both) assert.equal(await service.end('SIGTERM'), 0, service.output());
    }
  } finally {
    await server.stop();
  }
});

/** Returns the time in ms until a start is ready, and shuts it down. */
async function timeStart(dataDir: string): Promise<number> {
  const service = startService({ DATA_DIR: dataDir });
  const startupMs = await service.readyAfter;
  await endInOrder(service, dataDir);
  return startupMs;
}

/** Kills a start after `milliseconds`. The next start must be ready, count a text with the first key and shut down. */
async function startAndKill(dataDir: string, milliseconds: number): Promise<void> {
  const killed = startService({ DATA_DIR: dataDir });
  // The process is killed below, so neither promise is awaited.
  killed.ready.catch(() => {});
  killed.readyAfter.catch(() => {});
  await sleep(milliseconds);
  await killed.end('SIGKILL');
  const next = startService({ DATA_DIR: dataDir });
  await countTokens(await next.ready, dataDir);
  await endInOrder(next, dataDir);
}

async function endInOrder(service: ServiceProcess, dataDir: string): Promise<void> {
  assert.equal(await service.end('SIGTERM'), 0, service.output());
  await eventually(() => listProcesses(dataDir).length === 0);
}

async function countTokens(address: string, dataDir: string): Promise<void> {
  const { api_key: key } = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as { api_key: string };
  const response = await fetch(`${address}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'svc-version': '2023-06-01' },
    body: JSON.stringify({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hello, world' }] }),
  });
  const body = (await response.json()) as { input_tokens?: number };
  assert.ok(response.status === 200 && body.input_tokens! > 0, JSON.stringify(body));
}
