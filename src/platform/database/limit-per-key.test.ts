import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createLimitPerKey } from './limit-per-key.ts';

/** Work that goes on until it is told to end. */
function held() {
  let end!: (error?: Error) => void;
  const done = new Promise<void>((resolve, reject) => (end = (error) => (error ? reject(error) : resolve())));
  return { work: () => done, end };
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

test('one key has its share at a time and keeps its order; other keys do not wait', async () => {
  const run = createLimitPerKey(2, 60_000);
  const begun: string[] = [];
  const works = Array.from({ length: 4 }, held);
  const ends = works.map(({ work }, index) => run('ann', () => (begun.push(`ann ${index}`), work())));
  await run('bob', async () => void begun.push('bob'));
  assert.deepEqual(begun, ['ann 0', 'ann 1', 'bob']);
  works[1]!.end(new Error('failed'));
  await assert.rejects(ends[1]!, /failed/);
  await soon();
  assert.deepEqual(begun.slice(3), ['ann 2'], 'a failure passes the place on too');
  // A place that was handed on is not free for a new call.
  const late = run('ann', async () => void begun.push('ann late'));
  works[0]!.end();
  await soon();
  assert.deepEqual(begun.slice(4), ['ann 3']);
  works[2]!.end();
  works[3]!.end();
  await Promise.all([ends[0], ends[2], ends[3], late]);
  assert.equal(begun.at(-1), 'ann late');
  await run('ann', async () => void begun.push('ann again'));
  assert.equal(begun.at(-1), 'ann again');
});

test('a call that times out in the queue is refused and leaves no place taken', async () => {
  const run = createLimitPerKey(1, 20);
  const first = held();
  const running = run('ann', first.work);
  await assert.rejects(
    run('ann', async () => assert.fail('never begun')),
    { code: 'UNAVAILABLE' },
  );
  first.end();
  await running;
  assert.equal(await run('ann', async () => 'free'), 'free');
});
