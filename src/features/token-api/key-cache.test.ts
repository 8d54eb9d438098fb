import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createKeyCache } from './key-cache.ts';
import type { KeyHolder } from './queries.ts';

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
    () => state.now,
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

test('serves cached keys until they expire when the database is unavailable', async () => {
  const { cache, state } = createFixture();
  await cache.find('a');
  state.fails = true;
  state.now = 4_999;
  assert.equal((cache.find('a') as KeyHolder).id, 'id-a');
  await settled();
  state.now = 5_001;
  await assert.rejects(async () => cache.find('a'), /no database/);
  state.fails = false;
  assert.equal((await cache.find('a'))?.id, 'id-a');
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
