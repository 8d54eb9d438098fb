import assert from 'node:assert/strict';
import { test } from 'vitest';
import { batchCalls } from './batch-calls.ts';

test('batches the distinct names of one window and rejects only the failed batch', async () => {
  const requested: (readonly string[])[] = [];
  const call = batchCalls(20, async (names) => {
    requested.push(names);
    if (names.includes('BAD')) throw new Error('no');
  });
  await Promise.all(['A', 'B', 'A'].map(call));
  assert.deepEqual(requested, [['A', 'B']]);
  const failed = await Promise.allSettled(['BAD', 'C'].map(call));
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await call('A');
  assert.deepEqual(requested, [['A', 'B'], ['BAD', 'C'], ['A']]);
});
