import assert from 'node:assert/strict';
import { test } from 'vitest';
import { withTtlCache } from './ttl-cache.ts';

test('keeps the latest results up to the limit', async () => {
  let time = 0;
  const cachedCall = withTtlCache(() => time, undefined, 2);
  const requested: string[] = [];
  const call = (name: string) =>
    cachedCall({ key: name, call: async () => requested.push(name), ttlMs: () => (name === 'brief' ? 10 : 60_000) });
  await call('long');
  await call('brief');
  time = 10;
  await call('brief');
  await call('long');
  assert.deepEqual(requested, ['long', 'brief', 'brief'], 'renewed without evicting the other');
  await call('third');
  await call('brief');
  await call('long');
  assert.deepEqual(requested.slice(3), ['third', 'long'], 'the oldest result is evicted');
});
