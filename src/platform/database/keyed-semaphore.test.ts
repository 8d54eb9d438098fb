import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

/** Returns work that runs until the test ends it. */
function createPendingWork() {
  let end!: (error?: Error) => void;
  const done = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  return { work: () => done, end };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('limits each key in order, without a wait for other keys', async () => {
  const run = createKeyedSemaphore(2, 60_000);
  const started: string[] = [];
  const works = Array.from({ length: 4 }, createPendingWork);
  const recordStart = (name: string) => async (): Promise<void> => {
    started.push(name);
  };
  const ends = works.map(({ work }, index) =>
    run('ann', () => {
      started.push(`ann ${index}`);
      return work();
    }),
  );
  await run('bob', recordStart('bob'));
  assert.deepEqual(started, ['ann 0', 'ann 1', 'bob']);
  works[1]!.end(new Error('failed'));
  await assert.rejects(ends[1]!, /failed/);
  await nextTurn();
  assert.deepEqual(started.slice(3), ['ann 2'], 'a failure passes the place on too');
  // A permit that was handed over is not free for a new call.
  const lateWork = run('ann', recordStart('ann late'));
  works[0]!.end();
  await nextTurn();
  assert.deepEqual(started.slice(4), ['ann 3']);
  works[2]!.end();
  works[3]!.end();
  await Promise.all([ends[0], ends[2], ends[3], lateWork]);
  assert.equal(started.at(-1), 'ann late');
  await run('ann', recordStart('ann again'));
  assert.equal(started.at(-1), 'ann again');
});

test('frees the place of a call that times out in the queue', async () => {
  const run = createKeyedSemaphore(1, 20);
  const first = createPendingWork();
  const running = run('ann', first.work);
  await assert.rejects(
    run('ann', async () => assert.fail('never begun')),
    { code: 'UNAVAILABLE' },
  );
  first.end();
  await running;
  assert.equal(await run('ann', async () => 'free'), 'free');
});
