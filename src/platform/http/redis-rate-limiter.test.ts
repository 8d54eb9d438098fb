import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'vitest';
import { Worker } from 'node:worker_threads';
import type { FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { startFakeRedis } from '../../../test/fakes/redis.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createMemberLimiters, limitPerMember } from './member-rate-limit.ts';
import { createSharedRateLimits } from './redis-rate-limiter.ts';
import { openSharedRedis } from './shared-redis.ts';

/** Starts the fake in a separate thread, which responds while this one is busy. */
async function startRedisProcess(t: TestContext): Promise<string> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData).then(({ startFakeRedis }) => startFakeRedis()).then(({ url }) => parentPort.postMessage(url));
  `;
  const worker = new Worker(code, { eval: true, workerData: import.meta.resolve('../../../test/fakes/redis.ts') });
  t.onTestFinished(async () => {
    await worker.terminate();
  });
  const [url] = (await once(worker, 'message')) as [string];
  return url;
}

/** Creates a logger that collects the lines about Redis. */
const createLogger = (lines: unknown[]) => {
  const addLine = (...line: unknown[]): void => {
    lines.push(line.at(-1));
  };
  return { info: addLine, warn: addLine };
};

/** Returns two processes with one Redis, once both are connected. */
async function twoProcesses(t: TestContext, redis: { url: string }) {
  const lost: unknown[] = [];
  const connections = [1, 2].map(() => openSharedRedis(redis.url, createLogger(lost), { responseTimeoutMs: 10_000 }));
  t.onTestFinished(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
  });
  const processes = connections.map((connection) => createSharedRateLimits(connection));
  for (const limits of processes)
    await eventually(async () => (await limits.consume('warm-up', 1_000, 60_000)) !== undefined);
  return { processes, lost };
}

test('allows exactly the limit when two processes share one Redis', async (t) => {
  let now = 1_000_000_000;
  const redis = await startFakeRedis(() => now);
  t.onTestFinished(() => redis.close());
  const { processes } = await twoProcesses(t, redis);
  const limiters = processes.map((limits) => limits.createLimiter({ name: 'api', limit: 30 }));
  const send = async () =>
    Promise.all(Array.from({ length: 60 }, async (_, index) => limiters[index % 2]!.consume('ann')));
  const results = await send();
  assert.equal(results.filter(({ ok }) => ok).length, 30);
  const rejected = results.find(({ ok }) => !ok)!;
  assert.ok(!rejected.ok && Math.abs(rejected.retryAfter - 60) < 0.01);
  assert.deepEqual([rejected.state!.limit, rejected.state!.remaining], [30, 0]);
  assert.ok((await limiters[0]!.consume('bob')).ok, 'keys are separate');
  assert.ok(
    (await processes[1]!.createLimiter({ name: 'look-ups', limit: 1 }).consume('ann')).ok,
    'limits are separate',
  );
  assert.ok(!redis.keys().some((key) => /ann|bob/.test(key)), 'Redis stores no address and no member');
  now += 60_000_000;
  assert.equal((await send()).filter(({ ok }) => ok).length, 30, 'the full limit is available after a minute');
});

test('limits member requests and sign-in attempts in total across two processes', async (t) => {
  const redis = await startFakeRedis();
  t.onTestFinished(() => redis.close());
  const { processes } = await twoProcesses(t, redis);
  const member = async () => ({ idpId: 'user_a' });
  const checks = processes.map(({ createLimiter: limiter }) =>
    limitPerMember(member, createMemberLimiters(300, limiter)),
  );
  const answers = await Promise.allSettled(
    Array.from({ length: 700 }, (_, index) => checks[index % 2]!({} as FastifyRequest)),
  );
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 300);
  const attempts = processes.map(({ createLimiter: limiter }) =>
    limiter({ name: 'sign-in', limit: 5, windowMs: 10_000 }),
  );
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => attempts[index % 2]!.consume('::1 a@b.c')),
  );
  assert.equal(outcomes.filter(({ ok }) => ok).length, 5);
});

test('shares failures and resets of a lock between two processes', async (t) => {
  let now = 1_000_000_000;
  const redis = await startFakeRedis(() => now);
  t.onTestFinished(() => redis.close());
  const { processes } = await twoProcesses(t, redis);
  const limiters = processes.map(({ createLimiter: limiter }) =>
    limiter({ name: 'failures', limit: 4, windowMs: 60_000 }),
  );
  const one = limiters[0]!;
  const other = limiters[1]!;
  for (let index = 0; index < 4; index += 1) {
    assert.ok((await other.peek('ann')).ok, 'peek consumes no event');
    await limiters[index % 2]!.consume('ann');
    now += 10_000_000;
  }
  for (const { peek: look } of limiters) {
    const next = await look('ann');
    assert.ok(!next.ok && Math.abs(next.retryAfter - 20) < 0.01, JSON.stringify(next));
  }
  await one.reset('ann');
  assert.ok((await other.peek('ann')).ok);
  assert.ok((await one.peek('ann')).ok);
});

test('falls back to the limit of each process when Redis becomes unavailable', async (t) => {
  const redis = await startFakeRedis();
  const { processes, lost } = await twoProcesses(t, redis);
  const limiters = processes.map(({ createLimiter: limiter }) => limiter({ name: 'api', limit: 4 }));
  const firstLimiter = limiters[0]!;
  const secondLimiter = limiters[1]!;
  for (let index = 0; index < 3; index += 1) assert.ok((await firstLimiter.consume('ann')).ok);
  assert.ok((await secondLimiter.consume('ann')).ok);
  assert.ok(!(await firstLimiter.consume('ann')).ok);
  await redis.close();
  await eventually(() => processes[0]!.consume('probe', 1, 60_000) === undefined && lost.length > 0);
  const localResults = [await firstLimiter.consume('ann'), await firstLimiter.consume('ann')];
  assert.deepEqual(
    localResults.map(({ ok }) => ok),
    [true, false],
    'counts the three events it allowed before',
  );
  for (let index = 0; index < 5; index += 1) await firstLimiter.consume('ann');
  assert.ok(lost.length <= 2, 'logged once per process');
});

test('counts in this process without waiting when no Redis is configured', () => {
  const limits = createSharedRateLimits(undefined);
  const limiter = limits.createLimiter({ name: 'api', limit: 1, now: () => 0 });
  assert.deepEqual(limiter.consume('ann'), { ok: true, state: { limit: 1, remaining: 0, resetAfter: 60 } });
  assert.equal(limits.consume('count:a', 1, 1), undefined);
});

test('exports 0 when one of several processes cannot reach Redis', async (t) => {
  const redis = await startFakeRedis();
  const registry = new Registry();
  const connection = openSharedRedis(redis.url, { info: () => {}, warn: () => {} }, { registry });
  t.onTestFinished(() => connection.close());
  const shows = async (figure: string) => (await registry.metrics()).includes(`tally_redis_up ${figure}\n`);
  await eventually(() => shows('1'));
  await redis.close();
  await eventually(() => shows('0'));
});

test('accepts a reply within the timeout when the event loop was blocked', async (t) => {
  const redis = await startRedisProcess(t);
  const lost: unknown[] = [];
  const connection = openSharedRedis(redis, createLogger(lost), { responseTimeoutMs: 50 });
  t.onTestFinished(() => connection.close());
  const limits = createSharedRateLimits(connection);
  await eventually(async () => (await limits.consume('warm-up', 1_000_000, 60_000)) !== undefined);
  lost.length = 0;
  const pending = Array.from({ length: 5 }, async () => limits.consume('ann', 3, 60_000));
  // The commands are sent in this turn. The replies are received while the event loop is blocked.
  await new Promise((resolve) => setImmediate(resolve));
  const until = performance.now() + 300;
  let turnCount = 0;
  while (performance.now() < until) turnCount += 1;
  assert.ok(turnCount > 0);
  const allowed = (await Promise.all(pending)).map((decision) => decision?.allowed);
  assert.deepEqual([allowed, lost], [[true, true, true, false, false], []]);
});
