import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { startFakeRedis } from '../../../test/fakes/redis.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { openSharedRedis } from '../../platform/http/shared-redis.ts';
import { createKeyCache, MAX_STALE_MS } from './key-cache.ts';
import type { KeyHolder } from './queries.ts';
import { createSharedKeys } from './shared-keys.ts';

const holder = (hash: string): KeyHolder => ({ hash, id: `id-${hash}`, organisation_id: 'o', usage_tier: 1 });

function createFixture() {
  const existingKeys = new Set<string>(['a', 'b']);
  const lookups: string[][] = [];
  const state = { now: 0, fails: false };
  const cache = createKeyCache(
    async (hashes) => {
      lookups.push(hashes);
      await new Promise((resolve) => setImmediate(resolve));
      if (state.fails) throw new Error('no database');
      return hashes.filter((hash) => existingKeys.has(hash)).map(holder);
    },
    { now: () => state.now },
  );
  return { known: existingKeys, lookUps: lookups, state, cache };
}

/** Waits for some event-loop turns, because lookups take one. A timer could fire earlier. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('sends one query when many lookups wait', async () => {
  const { cache, lookUps: lookups } = createFixture();
  const found = await Promise.all(['a', 'b', 'none', 'a', 'a'].map(async (hash) => cache.find(hash)));
  assert.deepEqual(
    found.map((one) => one?.id),
    ['id-a', 'id-b', undefined, 'id-a', 'id-a'],
  );
  assert.deepEqual(lookups, [['a', 'b', 'none']]);
  assert.equal((cache.find('a') as KeyHolder).id, 'id-a');
  assert.equal(cache.find('none'), null);
  assert.equal(lookups.length, 1);
});

test('refreshes a key in the background and drops a revoked one within 5 s', async () => {
  const { cache, known: existingKeys, lookUps: lookups, state } = createFixture();
  await cache.find('a');
  existingKeys.delete('a');
  state.now = 2_500;
  assert.equal((cache.find('a') as KeyHolder).id, 'id-a', 'answered from the cache');
  await settled();
  assert.equal(lookups.length, 2);
  assert.equal(cache.find('a'), null, 'the refresh has seen the revocation');
});

test('expires an entry after 5 s when there are no requests', async () => {
  const { cache, known: existingKeys, state } = createFixture();
  await cache.find('a');
  existingKeys.delete('a');
  state.now = 5_000;
  assert.equal(await cache.find('a'), null);
});

test('serves known keys for a minute when the database is unavailable', async () => {
  const { cache, lookUps: lookups, state } = createFixture();
  await cache.find('a');
  await cache.find('none');
  state.fails = true;
  state.now = 5_000;
  assert.equal((await cache.find('a'))?.id, 'id-a', 'after a failed query');
  await assert.rejects(async () => cache.find('none'), /no database/);
  await assert.rejects(async () => cache.find('b'), /no database/);
  state.now = 59_999;
  const queries = lookups.length;
  assert.equal((cache.find('a') as KeyHolder).id, 'id-a', 'without waiting');
  await settled();
  assert.equal((cache.find('a') as KeyHolder).id, 'id-a');
  await settled();
  assert.equal(lookups.length, queries + 1, 'one retry a second');
  state.now = 60_000;
  await assert.rejects(async () => cache.find('a'), /no database/);
  state.fails = false;
  assert.equal((await cache.find('a'))?.id, 'id-a');
});

test('rejects a revoked key at once when the database is available again', async () => {
  const { cache, known: existingKeys, state } = createFixture();
  await cache.find('a');
  state.fails = true;
  state.now = 30_000;
  assert.equal((await cache.find('a'))?.id, 'id-a');
  existingKeys.delete('a');
  state.fails = false;
  state.now = 31_000;
  await cache.find('a');
  await settled();
  assert.equal(cache.find('a'), null);
});

/** Two processes that share found keys, each with its own access to the database. */
async function createTwoProcesses(t: TestContext) {
  const clock = { now: 1_000 };
  const server = await startFakeRedis(() => clock.now * 1_000);
  t.onTestFinished(() => server.close());
  const existingKeys = new Set(['a']);
  const processes = [1, 2].map(() => {
    const redis = openSharedRedis(server.url, { info: () => {}, warn: () => {} }, { responseTimeoutMs: 10_000 });
    t.onTestFinished(() => redis.close());
    const state = { queries: 0, fails: false, queryMs: 0 };
    const load = async (hashes: string[]) => {
      state.queries += 1;
      clock.now += state.queryMs;
      if (state.fails) throw new Error('no database');
      return hashes.filter((hash) => existingKeys.has(hash)).map(holder);
    };
    const shared = createSharedKeys(redis, MAX_STALE_MS);
    return { redis, state, cache: createKeyCache(load, { shared, now: () => clock.now }) };
  });
  for (const { redis } of processes)
    await eventually(async () => (await redis.run((client) => client.ping())) !== undefined);
  return { clock, existingKeys, server, first: processes[0]!, second: processes[1]! };
}

test('finds a key without the database when another process has just found it', async (t) => {
  const { clock, existingKeys, server, first, second } = await createTwoProcesses(t);
  await first.cache.find('a');
  await eventually(() => server.keys().length > 0);
  clock.now += 1_500;
  assert.equal((await second.cache.find('a'))?.id, 'id-a');
  assert.equal(second.state.queries, 0);
  existingKeys.delete('a');
  clock.now += 3_500;
  assert.equal(await second.cache.find('a'), null, 'revoked 5 s after the query of the first process');
});

test('drops a revoked key within 5 s when the query that shared it was slow', async (t) => {
  const { clock, existingKeys, server, first, second } = await createTwoProcesses(t);
  first.state.queryMs = 4_000;
  await first.cache.find('a');
  await eventually(() => server.keys().length > 0);
  existingKeys.delete('a');
  clock.now += 1_500;
  assert.equal(await second.cache.find('a'), null, 'revoked 5.5 s after the start of the query');
});

test('accepts a key for a minute when only another process has found it', async (t) => {
  const { clock, server, first, second } = await createTwoProcesses(t);
  await first.cache.find('a');
  await eventually(() => server.keys().length > 0);
  second.state.fails = true;
  clock.now += 59_000;
  assert.equal((await second.cache.find('a'))?.id, 'id-a');
  clock.now += 1_000;
  await assert.rejects(async () => second.cache.find('a'), /no database/);
});

test('ignores keys that others have found when this process has changed keys', async (t) => {
  const { existingKeys, clock, server, first, second } = await createTwoProcesses(t);
  await first.cache.find('a');
  await eventually(() => server.keys().length > 0);
  existingKeys.delete('a');
  clock.now += 1;
  second.cache.clear();
  assert.equal(await second.cache.find('a'), null);
});

test('asks the database when Redis holds something else under the name of a key', async (t) => {
  const { first, second } = await createTwoProcesses(t);
  for (const text of ['{', '{"hash":"a","usage_tier":9}', 'null'])
    await first.redis.run((client) => client.set('tally:api-key:a', text, 'PX', 60_000));
  assert.equal((await second.cache.find('a'))?.id, 'id-a');
  assert.equal(second.state.queries, 1);
});

test('does not cache the result of a query when it was cleared in between', async () => {
  const { cache, lookUps: lookups } = createFixture();
  const first = cache.find('a');
  await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
  cache.clear();
  await first;
  await cache.find('a');
  assert.equal(lookups.length, 2);
});

test('limits pending lookups and runs one query at a time when keys are random', async () => {
  const { cache, lookUps: lookups } = createFixture();
  const results = await Promise.allSettled(Array.from({ length: 5_000 }, async (_, index) => cache.find(`x${index}`)));
  assert.equal(results.filter((result) => result.status === 'rejected').length, 3_000);
  assert.equal(lookups.length, 1);
});
