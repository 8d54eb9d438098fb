import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gather } from './gather.ts';

test('wishes of one moment are one piece of work, each name once; later ones are another; a failure is that of its own wishes alone', async () => {
  const asked: (readonly string[])[] = [];
  const wish = gather(20, async (names) => {
    asked.push(names);
    if (names.includes('BAD')) throw new Error('no');
  });
  await Promise.all(['A', 'B', 'A'].map(wish));
  assert.deepEqual(asked, [['A', 'B']]);
  const failed = await Promise.allSettled(['BAD', 'C'].map(wish));
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await wish('A');
  assert.deepEqual(asked, [['A', 'B'], ['BAD', 'C'], ['A']]);
});
