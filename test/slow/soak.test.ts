// @module-tag slow
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareDatabase, startRedis, startSeveral } from '../support/several-processes.ts';
import { addSymbols, addTo, createMember } from '../support/watchlist-race.ts';

const MINUTES = 4;
const CLIENTS = 8;
/** Limit in MB. It exceeds late garbage collection and is below a leak of 5 KB per request. */
const MAX_GROWTH_MB = 40;

const readResidentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Starts two processes of the service without rate limits. */
async function startProcesses(t: TestContext) {
  const redis = await startRedis();
  t.onTestFinished(() => redis.stop());
  const { db, key } = await prepareDatabase();
  t.onTestFinished(() => db.drop());
  const service = await startSeveral(db, {
    processes: 2,
    redisUrl: redis.url,
    settings: { API_RATE_LIMIT: '1000000', TOKEN_COUNT_RATE_LIMITS: 'off' },
  });
  t.onTestFinished(() => service.stop());
  return { db, key, service };
}

/** Counts requests and records those with another status than expected. `stop` ends the clients. */
function createLoad({ db, key, service }: Awaited<ReturnType<typeof startProcesses>>) {
  const keyHeaders = { 'x-api-key': key, 'svc-version': '2023-06-01', 'content-type': 'application/json' };
  const load = { requests: 0, failures: [] as string[], isStopped: false };
  async function expectStatus(expected: number, description: string, path: string, init: RequestInit) {
    const response = await fetch(`${service.url}${path}`, init);
    await response.clone().arrayBuffer();
    load.requests += 1;
    if (response.status !== expected) load.failures.push(`${description} answered ${response.status}`);
    return response;
  }
  /** Counts tokens and adds, lists and removes symbols as one member until the load is stopped. */
  async function runClient(symbols: readonly string[]): Promise<void> {
    const member = await createMember(db, service.url, 'pro', []);
    for (let round = 0; !load.isStopped; round += 1) {
      // A session's token is valid for a minute.
      if (round % 10 === 0) await member.renew();
      const messages = [{ role: 'user', content: `Text number ${round}. `.repeat(50) }];
      const body = JSON.stringify({ model: 'claude-opus-4-6', messages });
      await expectStatus(200, 'a count', '/v1/messages/count_tokens', { method: 'POST', headers: keyHeaders, body });
      const added = await addTo(member, symbols[round % symbols.length]!)(service.url);
      if (added.status !== 201) load.failures.push(`an add answered ${added.status}`);
      const { headers } = member;
      const list = await expectStatus(200, 'the list', '/api/watchlist', { headers });
      if (!list.ok) return;
      const { items } = (await list.json()) as { items: { id: string }[] };
      for (const { id } of items)
        await expectStatus(204, 'a removal', `/api/watchlist/${id}`, { method: 'DELETE', headers });
    }
  }
  return { load, runClient };
}

/** Reads the memory of each process every two seconds until the time ends. */
async function readMemory(pids: readonly number[]): Promise<number[][]> {
  const readings: number[][] = pids.map(() => []);
  for (const end = performance.now() + MINUTES * 60_000; performance.now() < end; await sleep(2_000))
    for (const [i, pid] of pids.entries()) readings[i]!.push(readResidentMb(pid));
  return readings;
}

/** Returns the growth from the second quarter to the last. The first quarter is the warm-up. */
function getGrowth(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4);
  return median(values.slice(-quarter)) - median(values.slice(quarter, 2 * quarter));
}

test(`serves without failures or growth for ${MINUTES} minutes`, async (t) => {
  const processes = await startProcesses(t);
  const symbols = await addSymbols(processes.db, CLIENTS * 10);
  const { load, runClient } = createLoad(processes);

  const clients = Array.from({ length: CLIENTS }, (_, i) => runClient(symbols.slice(i * 10, (i + 1) * 10)));
  const readings = await readMemory(processes.service.listPids());
  load.isStopped = true;
  await Promise.all(clients);

  console.log(`${load.requests} requests`);
  assert.deepEqual(load.failures.slice(0, 10), []);
  for (const values of readings) {
    const growth = getGrowth(values);
    assert.ok(growth < MAX_GROWTH_MB, `a process grew by ${growth.toFixed(0)} MB`);
  }
});
