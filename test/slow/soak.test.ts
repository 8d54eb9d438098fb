// @module-tag slow
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
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

test(`serves without failures or growth for ${MINUTES} minutes`, async (t) => {
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
  const symbols = await addSymbols(db, CLIENTS * 10);
  const headers = { 'x-api-key': key, 'svc-version': '2023-06-01', 'content-type': 'application/json' };

  let ended = false;
  let requests = 0;
  const failures: string[] = [];
  async function expectStatus(expected: number, description: string, request: Promise<Response>): Promise<Response> {
    const response = await request;
    await response.clone().arrayBuffer();
    requests += 1;
    if (response.status !== expected) failures.push(`${description} answered ${response.status}`);
    return response;
  }
  async function runClient(clientSymbols: readonly string[]): Promise<void> {
    const member = await createMember(db, service.url, 'pro', []);
    for (let round = 0; !ended; round += 1) {
      // A session's token is valid for a minute.
      if (round % 10 === 0) await member.renew();
      const body = JSON.stringify({
        model: 'claude-opus-4-6',
        messages: [{ role: 'user', content: `Text number ${round}. `.repeat(50) }],
      });
      const count = fetch(`${service.url}/v1/messages/count_tokens`, { method: 'POST', headers, body });
      await expectStatus(200, 'a count', count);
      const added = await addTo(member, clientSymbols[round % clientSymbols.length]!)(service.url);
      if (added.status !== 201) failures.push(`an add answered ${added.status}`);
      const list = await expectStatus(
        200,
        'the list',
        fetch(`${service.url}/api/watchlist`, { headers: member.headers }),
      );
      if (!list.ok) return;
      const { items } = (await list.json()) as { items: { id: string }[] };
      for (const { id } of items)
        await expectStatus(
          204,
          'a removal',
          fetch(`${service.url}/api/watchlist/${id}`, { method: 'DELETE', headers: member.headers }),
        );
    }
  }

  const clients = Array.from({ length: CLIENTS }, (_, i) => runClient(symbols.slice(i * 10, (i + 1) * 10)));
  const pids = service.listPids();
  const readings: number[][] = pids.map(() => []);
  for (const end = performance.now() + MINUTES * 60_000; performance.now() < end; await sleep(2_000))
    for (const [i, pid] of pids.entries()) readings[i]!.push(readResidentMb(pid));
  ended = true;
  await Promise.all(clients);

  console.log(`${requests} requests`);
  assert.deepEqual(failures.slice(0, 10), []);
  for (const values of readings) {
    const part = Math.floor(values.length / 4);
    // The first quarter is the warm-up.
    const growth = median(values.slice(-part)) - median(values.slice(part, 2 * part));
    assert.ok(growth < MAX_GROWTH_MB, `a process grew by ${growth.toFixed(0)} MB`);
  }
});
