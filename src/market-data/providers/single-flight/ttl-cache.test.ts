import assert from 'node:assert/strict';
import { test } from 'vitest';
import { withTtlCache } from './ttl-cache.ts';

test('a process remembers so many answers, the latest; one that is renewed pushes out no other', async () => {
  let time = 0;
  const remember = withTtlCache(() => time, undefined, 2);
  const asked: string[] = [];
  const ask = (name: string) =>
    remember({ key: name, call: async () => asked.push(name), ttlMs: () => (name === 'brief' ? 10 : 60_000) });
  await ask('long');
  await ask('brief');
  time = 10;
  await ask('brief');
  await ask('long');
  assert.deepEqual(asked, ['long', 'brief', 'brief'], 'renewed, and the other is kept');
  await ask('third');
  await ask('brief');
  await ask('long');
  assert.deepEqual(asked.slice(3), ['third', 'long'], 'the oldest answer went');
});
