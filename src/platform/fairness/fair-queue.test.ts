import assert from 'node:assert/strict';
import { test } from 'vitest';
import { FairQueue, type QueueItem } from './fair-queue.ts';

const LIMITS = { maxWaitingPerOwner: 3, maxWaiting: 5, maxWaitingBytes: 10 };

/** Returns the owners of all jobs in the order in which they leave the queue. */
function drain(queue: FairQueue<QueueItem>): string[] {
  const owners: string[] = [];
  for (let job = queue.shift(); job; job = queue.shift()) owners.push(job.owner);
  return owners;
}

test('gives each of several owners a turn when others have many jobs', () => {
  const queue = new FairQueue<QueueItem>({ maxWaitingPerOwner: 10, maxWaiting: 30 });
  for (const owner of 'aaaabbbbc') queue.push({ owner });
  assert.equal(drain(queue).join(''), 'abcababab');
});

test('serves the owner whose last turn is longest ago when owners return', () => {
  const queue = new FairQueue<QueueItem>(LIMITS);
  for (const owner of 'ab') queue.push({ owner });
  drain(queue);
  for (const owner of 'bba') queue.push({ owner });
  assert.equal(drain(queue).join(''), 'abb');
});

test('serves a waiting owner before owners that came later when they are new', () => {
  const queue = new FairQueue<QueueItem>(LIMITS);
  queue.push({ owner: 'a' });
  drain(queue);
  for (const owner of 'bba') queue.push({ owner });
  assert.equal(queue.shift()?.owner, 'b');
  queue.push({ owner: 'c' });
  assert.equal(drain(queue).join(''), 'acb');
});

test('removes the last job of the highest rank when one of a lower rank enters a full queue', () => {
  const queue = new FairQueue<QueueItem>(LIMITS);
  for (const owner of 'abcde') queue.push({ owner, rank: 1 });
  assert.equal(queue.hasCapacityFor({ owner: 'f', rank: 1 }), false);
  assert.equal(queue.hasCapacityFor({ owner: 'f', rank: 0 }), true);
  queue.push({ owner: 'f', rank: 0 });
  assert.deepEqual(queue.removeExcess(), { owner: 'e', rank: 1 });
  assert.equal(queue.removeExcess(), undefined);
  assert.equal(drain(queue).join(''), 'fabcd');
});

test('skips an owner that may not run', () => {
  const queue = new FairQueue<QueueItem>(LIMITS);
  for (const owner of 'ab') queue.push({ owner });
  assert.equal(queue.shift(({ owner }) => owner !== 'a')?.owner, 'b');
  assert.equal(
    queue.shift(({ owner }) => owner !== 'a'),
    undefined,
  );
  assert.equal(queue.length, 1);
});

test('limits jobs per owner and total bytes', () => {
  const queue = new FairQueue<QueueItem>(LIMITS);
  for (const owner of 'aaa') queue.push({ owner, bytes: 2 });
  assert.equal(queue.hasCapacityFor({ owner: 'a', bytes: 1 }), false);
  assert.equal(queue.hasCapacityFor({ owner: 'b', bytes: 5 }), false);
  assert.equal(queue.hasCapacityFor({ owner: 'b', bytes: 4 }), true);
});
