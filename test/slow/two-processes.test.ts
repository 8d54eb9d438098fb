// @module-tag slow
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { skipWithout } from '../support/parts.ts';
import { prepareDatabase, startRedis, startSeveral, type SeveralProcesses } from '../support/several-processes.ts';
import { createMember } from '../support/watchlist-race.ts';

const COUNTS_PER_MINUTE = 50;
const READS_PER_MINUTE = 300;

let redis: Awaited<ReturnType<typeof startRedis>>;
let db: TestDatabase;
let key: string;
let service: SeveralProcesses;
beforeAll(async () => {
  redis = await startRedis();
  ({ db, key } = await prepareDatabase());
  service = await startSeveral(db, {
    processes: 2,
    redisUrl: redis.url,
    settings: {
      TOKEN_COUNT_RATE_LIMITS: Array.from({ length: 4 }, () => COUNTS_PER_MINUTE).join(','),
      API_RATE_LIMIT: String(READS_PER_MINUTE),
    },
  });
});
afterAll(async () => {
  await service?.stop();
  await redis?.stop();
  await db?.drop();
});

/** Returns the number of responses of each status. */
function countByStatus(statuses: readonly (number | string)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Sends a request on a new connection, which either process may accept. Returns the status or the error code. */
async function fetchStatus(path: string, init: RequestInit = {}): Promise<number | string> {
  const headers = { ...(init.headers as Record<string, string>), connection: 'close' };
  try {
    const response = await fetch(`${service.url}${path}`, { ...init, headers, signal: AbortSignal.timeout(60_000) });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return ((error as Error).cause as { code?: string } | undefined)?.code ?? (error as Error).name;
  }
}

// A fake Redis in this process is too slow under load, and the processes would fall back to local limits.
test("enforces a key's limit over several windows when two processes run", async (t) => {
  skipWithout(t, 'redis-server');
  const body = JSON.stringify({ model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello' }] });
  const headers = { 'x-api-key': key, 'svc-version': '2023-06-01', 'content-type': 'application/json' };
  const counted: number[] = [];
  for (const end = performance.now() + 75_000; performance.now() < end; await sleep(250)) {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => fetchStatus('/v1/messages/count_tokens', { method: 'POST', headers, body })),
    );
    for (const status of statuses) if (status === 200) counted.push(performance.now());
  }
  // A request may be counted up to a second before its response.
  const maxInMinute = Math.max(
    ...counted.map((from) => counted.filter((at) => at >= from && at < from + 59_000).length),
  );
  assert.ok(maxInMinute <= COUNTS_PER_MINUTE, `${maxInMinute} in one minute`);
  assert.ok(counted.length >= COUNTS_PER_MINUTE, `only ${counted.length} were counted`);
  assert.equal(await service.readMetric('tally_token_count_rate_limit_fallback_total'), 0);
});

test("enforces a member's limit of requests when two processes run", async (t) => {
  skipWithout(t, 'redis-server');
  const member = await createMember(db, service.url, 'free', []);
  const reads = countByStatus(
    await Promise.all(
      Array.from({ length: READS_PER_MINUTE + 150 }, () => fetchStatus('/api/watchlist', { headers: member.headers })),
    ),
  );
  // `createMember` sent the first request.
  assert.equal(reads[200], READS_PER_MINUTE - 1, JSON.stringify(reads));
});

for (const signal of ['SIGKILL', 'SIGTERM'] as const)
  test(`loses no request that starts after one of two processes has ended by ${signal}`, async () => {
    const [, second] = service.listPids();
    const requests: { startedAt: number; status: number | string }[] = [];
    let isEnded = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isEnded) {
        const startedAt = performance.now();
        requests.push({ startedAt, status: await fetchStatus('/healthz') });
      }
    });
    await sleep(1_000);
    process.kill(second!, signal);
    // While the process ends, the kernel may still give it connections, and resets them.
    await eventually(() => !existsSync(`/proc/${second}`));
    const processEndedAt = performance.now();
    await eventually(
      async () => service.listPids().length === 2 && (await service.readMetric('tally_processes')) === 2,
    );
    isEnded = true;
    await Promise.all(clients);
    const later = requests.filter(({ startedAt }) => startedAt > processEndedAt);
    assert.ok(later.length > 0);
    assert.deepEqual(countByStatus(later.map(({ status }) => status)), { 200: later.length });
  });
