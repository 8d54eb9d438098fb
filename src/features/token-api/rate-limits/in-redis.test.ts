import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'vitest';
import { Redis } from 'ioredis';
import { eventually } from '../../../../test/support/eventually.ts';
import { skipWithout } from '../../../../test/support/parts.ts';
import { createSharedRateLimits, CONSUME_SCRIPT } from '../../../platform/http/redis-rate-limiter.ts';
import { openSharedRedis } from '../../../platform/http/shared-redis.ts';
import { createRedisLimits } from './in-redis.ts';
import type { Decision, TierLimits } from './rate-limit.ts';

/** Opens the limits of one process with its own connection. */
function openLimits(limits: TierLimits, url: string, fallback: () => void, responseTimeoutMs?: number) {
  const redis = openSharedRedis(
    url,
    { info: () => {}, warn: () => {} },
    responseTimeoutMs === undefined ? {} : { responseTimeoutMs },
  );
  return { ...createRedisLimits(limits, createSharedRateLimits(redis), fallback), close: () => redis.close() };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('applies local limits and reports it when Redis is unavailable', async (t) => {
  let fallbacks = 0;
  const limits = openLimits([3, 3, 3, 3], 'redis://127.0.0.1:1', () => {
    fallbacks += 1;
  });
  t.onTestFinished(() => limits.close());
  const allowed: boolean[] = [];
  for (let index = 0; index < 5; index += 1) allowed.push((await limits.consume('a', 1))!.allowed);
  assert.deepEqual(allowed, [true, true, true, false, false]);
  assert.equal(fallbacks, 5);
});

test('does not delay requests when Redis accepts connections and sends nothing', async (t) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const limits = openLimits([1, 1, 1, 1], `redis://127.0.0.1:${port}`, () => {});
  t.onTestFinished(async () => {
    await limits.close();
    silent.close();
  });
  assert.equal((await limits.consume('a', 1))!.allowed, true);
  assert.equal((await limits.consume('a', 1))!.allowed, false);
});

describe('with a Redis server', () => {
  let server: ChildProcess | undefined;
  let url = '';

  const start = async (port: number): Promise<void> => {
    server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      { stdio: 'ignore' },
    );
    const probe = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
    probe.on('error', () => {});
    await probe.ping();
    probe.disconnect();
  };
  const stop = async (): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };

  test('shares one exact limit between processes and survives the loss of Redis', async (t) => {
    skipWithout(t, 'redis-server');
    const port = await freePort();
    url = `redis://127.0.0.1:${port}`;
    await start(port);
    t.onTestFinished(stop);
    let fallbacks = 0;
    const countFallback = (): void => {
      fallbacks += 1;
    };
    const open = (responseTimeoutMs?: number) => openLimits([50, 1, 1, 1], url, countFallback, responseTimeoutMs);
    // Use long timeouts: on a loaded machine 120 responses take longer than one request may wait. One process has the
    // default timeout.
    const processes = [1, 2, 3].map(() => open(30_000));
    const strict = open();
    t.onTestFinished(async () => {
      await Promise.all([...processes, strict].map((limits) => limits.close()));
    });
    // The process is ready when a lookup of another organization reaches Redis.
    await eventually(async () => {
      fallbacks = 0;
      for (const limits of [...processes, strict]) await limits.consume('warm-up', 1);
      return fallbacks === 0;
    });
    const answers = (await Promise.all(
      Array.from({ length: 120 }, async (_, index) => processes[index % 3]!.consume('shared', 1)),
    )) as Decision[];
    assert.equal(answers.filter((decision) => decision.allowed).length, 50);
    assert.equal(fallbacks, 0);
    const rejected = answers.find((decision) => !decision.allowed)!;
    assert.ok(rejected.msUntilNext > 50_000 && rejected.msUntilNext <= 60_000, String(rejected.msUntilNext));
    assert.equal(rejected.remaining, 0);

    server!.kill('SIGSTOP');
    const frozen = (await strict.consume('frozen', 1))!;
    assert.deepEqual([frozen.allowed, fallbacks], [true, 1], 'a server that hangs is not waited for');
    server!.kill('SIGCONT');

    await stop();
    fallbacks = 0;
    await eventually(async () => {
      await processes[0]!.consume('other', 1);
      return fallbacks > 0;
    });
    // Requests that this process accepted before still count, so about a third of the limit of 50 is used.
    const decisions = await Promise.all(Array.from({ length: 60 }, async () => processes[0]!.consume('shared', 1)));
    const allowed = decisions.filter((decision) => decision!.allowed).length;
    assert.ok(allowed > 0 && allowed < 50, String(allowed));
  });

  test('drops entries older than the window to the microsecond when clocks go back', async (t) => {
    skipWithout(t, 'redis-server');
    const port = await freePort();
    await start(port);
    t.onTestFinished(stop);
    const redis = new Redis(port, '127.0.0.1');
    t.onTestFinished(() => redis.disconnect());
    const consume = (key: string, limit: number, windowUs: number) =>
      redis.eval(CONSUME_SCRIPT, 1, key, limit, windowUs) as Promise<[number, number, string, string, string]>;
    const window = 300_000;
    const accepted: number[] = [];
    while (accepted.length <= 20) {
      const [allowed, used, , , now] = await consume('a', 5, window);
      assert.ok(used <= 5);
      if (allowed === 1) accepted.push(Number(now));
      else assert.equal(accepted.filter((at) => Number(now) - at < window).length, 5);
    }
    for (let index = 5; index < accepted.length; index += 1)
      assert.ok(accepted[index]! - accepted[index - 5]! >= window);
    // A newest entry in the future happens when a clock was set back. The time continues from that entry.
    const future = Date.now() * 1_000 + 60_000_000;
    await redis.zadd('b', future, String(future));
    const [allowed, used, , newest] = await consume('b', 2, window);
    assert.deepEqual([allowed, used, Number(newest)], [1, 2, future + 1]);
    assert.equal((await consume('b', 2, window))[0], 0);
    const peek = (limit: number) =>
      redis.eval(CONSUME_SCRIPT, 1, 'c', limit, window, 'peek') as Promise<[number, number]>;
    assert.deepEqual((await peek(1)).slice(0, 2), [0, 0], 'a look takes none');
    assert.deepEqual((await consume('c', 1, window)).slice(0, 2), [1, 1]);
    assert.deepEqual((await peek(1)).slice(0, 2), [0, 1]);
  });
});
