// @module-tag slow
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type TestContext } from 'vitest';
import { createMemoryReader, READABLE_MEMORY } from '../support/process-memory.ts';
import { prepareDatabase, startRedis, startSeveral } from '../support/several-processes.ts';
import { addSymbols, addTo, createMember } from '../support/watchlist-race.ts';

const MINUTES = 4;
const READINGS = 16;
/** A slow machine takes more than `MINUTES` for these requests between two readings. */
const MIN_REQUESTS_PER_READING = 500;
const CLIENTS = 8;
/** Limit in bytes. Without a leak it is 1,200 on a slow machine, whose warm-up takes longer, and 100 on others. */
const MAX_GROWTH_PER_REQUEST = 4_000;

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
    settings: { API_RATE_LIMIT: '1000000', TOKEN_COUNT_RATE_LIMITS: 'off', ...READABLE_MEMORY },
  });
  t.onTestFinished(() => service.stop());
  return { db, key, service };
}

/** Counts requests and records those with another status than expected. `isStopped` ends the clients. */
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
    let renewedAt = performance.now();
    for (let round = 0; !load.isStopped; round += 1) {
      // A session's token is valid for a minute.
      if (performance.now() - renewedAt > 20_000) {
        await member.renew();
        renewedAt = performance.now();
      }
      const messages = [{ role: 'user', content: `Text number ${round}. `.repeat(50) }];
      const body = JSON.stringify({ model: 'claude-opus-4-6', messages });
      await expectStatus(200, 'a count', '/v1/messages/count_tokens', { method: 'POST', headers: keyHeaders, body });
      const added = await addTo(member, symbols[round % symbols.length]!)(service.url);
      load.requests += 1;
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

interface Reading {
  requests: number;
  bytes: number;
}

/** Returns the bytes per request from the second quarter to the last. The first quarter is the warm-up. */
function getGrowthPerRequest(readings: readonly Reading[]): number {
  const quarter = Math.floor(readings.length / 4);
  const early = readings.slice(quarter, 2 * quarter);
  const late = readings.slice(-quarter);
  const getDifference = (key: keyof Reading) =>
    median(late.map((reading) => reading[key])) - median(early.map((reading) => reading[key]));
  return getDifference('bytes') / getDifference('requests');
}

test(`serves without failures or growth for ${MINUTES} minutes`, async (t) => {
  const processes = await startProcesses(t);
  const readMemory = await createMemoryReader(t, processes.service.output());
  const symbols = await addSymbols(processes.db, CLIENTS * 10);
  const { load, runClient } = createLoad(processes);

  const clients = Promise.all(
    Array.from({ length: CLIENTS }, (_, i) => runClient(symbols.slice(i * 10, (i + 1) * 10))),
  );
  const readings: Reading[] = [];
  while (readings.length < READINGS && load.failures.length === 0) {
    const next = load.requests + MIN_REQUESTS_PER_READING;
    await Promise.race([sleep((MINUTES * 60_000) / READINGS), clients]);
    while (load.requests < next && load.failures.length === 0) await Promise.race([sleep(100), clients]);
    readings.push({ requests: load.requests, bytes: await readMemory() });
  }
  load.isStopped = true;
  await clients;

  console.log(readings.map(({ requests, bytes }) => `${requests} requests: ${Math.round(bytes / 1e6)} MB`).join(', '));
  assert.deepEqual(load.failures.slice(0, 10), []);
  const growth = getGrowthPerRequest(readings);
  assert.ok(growth < MAX_GROWTH_PER_REQUEST, `the processes grew by ${growth.toFixed(0)} bytes per request`);
});
