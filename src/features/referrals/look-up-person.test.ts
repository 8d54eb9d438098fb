import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createFakeDirectory } from '../../../test/support/referrals.ts';
import { createPersonLookup } from './look-up-person.ts';

test('makes one request per person for concurrent callers', async () => {
  const people = createFakeDirectory();
  people.createdAt.set('user_a', 1_760_000_000_000);
  const lookUp = createPersonLookup(people);
  const lookups = await Promise.all(Array.from({ length: 50 }, () => lookUp('user_a')));
  assert.deepEqual(new Set(lookups.map(({ found: is }) => is)), new Set(['yes']));
  assert.equal(people.requestCount, 1);
});

test('does not repeat the look-up of an unknown person for ten minutes', async () => {
  let now = 0;
  const people = createFakeDirectory();
  const lookUp = createPersonLookup(people, { now: () => now });
  for (let i = 0; i < 100; i += 1) assert.deepEqual(await lookUp('user_x'), { found: 'no' });
  assert.equal(people.requestCount, 1);
  people.createdAt.set('user_x', 1);
  now = 599_999;
  assert.deepEqual(await lookUp('user_x'), { found: 'no' });
  now = 600_001;
  assert.deepEqual(await lookUp('user_x'), { found: 'yes', createdAt: new Date(1), ref: undefined });
});

test('limits look-ups of made-up identifiers and reports unavailable over the budget', async () => {
  let now = 0;
  const people = createFakeDirectory();
  const lookUp = createPersonLookup(people, { maxPerMinute: 5, now: () => now });
  const lookups = await Promise.all(Array.from({ length: 8 }, (_, i) => lookUp(`user_${i}`)));
  assert.deepEqual(
    lookups.map(({ found }) => found),
    [...Array<string>(5).fill('no'), ...Array<string>(3).fill('unavailable')],
  );
  assert.equal(people.requestCount, 5);
  now = 60_001;
  assert.deepEqual(await lookUp('user_7'), { found: 'no' });
});

test('retries an unavailable provider', async () => {
  const people = createFakeDirectory();
  people.isUnavailable = true;
  const lookUp = createPersonLookup(people);
  assert.deepEqual(await lookUp('user_a'), { found: 'unavailable' });
  people.isUnavailable = false;
  people.createdAt.set('user_a', 7);
  people.refs.set('user_a', 'Qm7XvT3kWz9B');
  assert.deepEqual(await lookUp('user_a'), { found: 'yes', createdAt: new Date(7), ref: 'Qm7XvT3kWz9B' });
});

test('bounds the cache of unknown people', async () => {
  const people = createFakeDirectory();
  const lookUp = createPersonLookup(people, { maxPerMinute: 50_000 });
  for (let i = 0; i <= 10_000; i += 1) await lookUp(`user_${i}`);
  await lookUp('user_10000');
  assert.equal(people.requestCount, 10_001);
  await lookUp('user_0');
  assert.equal(people.requestCount, 10_002, 'the oldest was forgotten');
});
