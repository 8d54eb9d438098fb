import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { BodyMemoryBudget, computeBodyBudgetBytes, getMemoryLimit, SEGMENT_BYTES } from './body-memory-budget.ts';
import { getMaxBodyBytes } from './read-body.ts';

test('limits an organization to half of the memory and frees it on release', () => {
  const step = fc.record({
    organisation: fc.constantFrom('a', 'b', 'c'),
    bytes: fc.integer({ min: 1, max: 40 }),
    close: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = new BodyMemoryBudget(100);
      const open: { organisation: string; bytes: number; close: () => void }[] = [];
      for (const { organisation, bytes, close } of steps) {
        if (close) {
          const reservation = open.shift();
          reservation?.close();
          reservation?.close();
          continue;
        }
        const sum = (of: (one: (typeof open)[number]) => boolean): number =>
          open.filter(of).reduce((total, one) => total + one.bytes, 0);
        const hasCapacity =
          sum(() => true) + bytes <= 100 && sum((one) => one.organisation === organisation) + bytes <= 50;
        const reservation = budget.createReservation(organisation);
        assert.equal(reservation.tryReserve(bytes), hasCapacity);
        if (hasCapacity) open.push({ organisation, bytes, close: reservation.release });
      }
    }),
  );
});

test('reuses a segment only after its body is released', () => {
  const budget = new BodyMemoryBudget(8 * SEGMENT_BYTES);
  const one = budget.createReservation('a');
  const other = budget.createReservation('b');
  const segments = [one.allocateSegment(), one.allocateSegment(), other.allocateSegment()];
  assert.equal(new Set(segments).size, 3);
  one.release();
  one.release();
  const next = [other.allocateSegment(), other.allocateSegment(), other.allocateSegment()];
  assert.equal(new Set([segments[2], ...next]).size, 4);
  assert.ok(next.includes(segments[0]) && next.includes(segments[1]), 'released segments are reused');
  assert.equal(other.allocateSegment(), undefined, 'an organization may use half of the budget');
});

test('scales the budget with the memory of the container, up to 16 of the largest bodies', () => {
  const MB = 1024 * 1024;
  const computeMaxBody = (memory: number): number =>
    getMaxBodyBytes(new BodyMemoryBudget(computeBodyBudgetBytes(memory * MB)).maxBytesPerOrganisation) / MB;
  // Below 750 MB a body of 32 MB would exhaust the memory, so the limit is smaller.
  assert.deepEqual([256, 400, 500, 750, 1_000, 24_000].map(computeMaxBody), [8, 8, 14, 32, 32, 32]);
  assert.equal(computeBodyBudgetBytes(24_000 * MB), 512 * MB);
  assert.ok(getMemoryLimit() > 0 && Number.isFinite(getMemoryLimit()));
});
