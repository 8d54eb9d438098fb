import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { BodyBudget, bodyBudgetBytes, memoryLimit, SEGMENT_BYTES } from './body-budget.ts';
import { largestBody } from './read-body.ts';

test('one organisation holds at most half, all together the whole, and what is given back is there again', () => {
  const step = fc.record({
    organisation: fc.constantFrom('a', 'b', 'c'),
    bytes: fc.integer({ min: 1, max: 40 }),
    close: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = new BodyBudget(100);
      const open: { organisation: string; bytes: number; close: () => void }[] = [];
      for (const { organisation, bytes, close } of steps) {
        if (close) {
          const account = open.shift();
          account?.close();
          account?.close();
          continue;
        }
        const sum = (of: (one: (typeof open)[number]) => boolean): number =>
          open.filter(of).reduce((total, one) => total + one.bytes, 0);
        const room = sum(() => true) + bytes <= 100 && sum((one) => one.organisation === organisation) + bytes <= 50;
        const account = budget.open(organisation);
        assert.equal(account.take(bytes), room);
        if (room) open.push({ organisation, bytes, close: account.close });
      }
    }),
  );
});

test('a segment belongs to one body at a time, and to the next once that is over', () => {
  const budget = new BodyBudget(8 * SEGMENT_BYTES);
  const [one, other] = [budget.open('a'), budget.open('b')];
  const lent = [one.lend(), one.lend(), other.lend()];
  assert.equal(new Set(lent).size, 3);
  one.close();
  one.close();
  const next = [other.lend(), other.lend(), other.lend()];
  assert.equal(new Set([lent[2], ...next]).size, 4);
  assert.ok(next.includes(lent[0]) && next.includes(lent[1]), 'what was given back is lent again');
  assert.equal(other.lend(), undefined, 'half of all is the most for one');
});

test('bodies get a share of the memory that a container is given, never more than 16 of the largest', () => {
  const MB = 1024 * 1024;
  const largest = (memory: number): number => largestBody(new BodyBudget(bodyBudgetBytes(memory * MB)).most) / MB;
  // Below 750 MB a body of 32 MB would end the process, so it is refused with the size that is taken.
  assert.deepEqual([256, 400, 500, 750, 1_000, 24_000].map(largest), [8, 8, 14, 32, 32, 32]);
  assert.equal(bodyBudgetBytes(24_000 * MB), 512 * MB);
  assert.ok(memoryLimit() > 0 && Number.isFinite(memoryLimit()));
});
