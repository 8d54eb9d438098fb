import assert from 'node:assert/strict';
import { test } from 'vitest';
import { withTimeout } from './with-timeout.ts';

const never = new Promise<string>(() => {});
const unwanted = (): never => assert.fail('onTimeout must not run');

test('returns or rejects as the work does when it ends in time', async () => {
  assert.equal(await withTimeout(60_000, Promise.resolve('here'), unwanted), 'here');
  await assert.rejects(withTimeout(60_000, Promise.reject(new Error('broken')), unwanted), /broken/);
});

test('returns or throws the result of onTimeout when the work is late', async () => {
  assert.equal(await withTimeout(1, never, () => 'something else'), 'something else');
  const rejectOnTimeout = (): never => {
    throw new Error('too late');
  };
  await assert.rejects(withTimeout(1, never, rejectOnTimeout), /too late/);
});

test('ignores a rejection after the timeout', async (t) => {
  const { promise, reject } = Promise.withResolvers<string>();
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => {
    unhandled.push(reason);
  };
  process.on('unhandledRejection', listen);
  t.onTestFinished(() => {
    process.off('unhandledRejection', listen);
  });
  assert.equal(await withTimeout(1, promise, () => 'late'), 'late');
  reject(new Error('afterwards'));
  // Node reports an unhandled rejection once the microtasks of its turn are done.
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(unhandled, []);
});
