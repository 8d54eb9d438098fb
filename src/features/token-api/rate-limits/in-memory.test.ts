import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { createMemoryLimits } from './in-memory.ts';
import { WINDOW_MS } from './rate-limit.ts';

/** Counts the requests within the window that ends at `now`, by scanning all of them. */
const isWithinLimit = (accepted: readonly number[], now: number): number =>
  accepted.filter((at) => now - at < WINDOW_MS).length;

const gaps = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.nat(24_000).map((eighths) => eighths / 8),
    fc.constantFrom(WINDOW_MS, WINDOW_MS - 1, WINDOW_MS / 2),
  ),
  { maxLength: 200 },
);

test('allows exactly the limit in any 60 seconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), gaps, (limit, steps) => {
      let now = 0;
      const limits = createMemoryLimits([limit, 1, 1, 1], () => now);
      const accepted: number[] = [];
      for (const step of steps) {
        now += step;
        const before = isWithinLimit(accepted, now);
        const decision = limits.consume('a', 1)!;
        assert.equal(decision.allowed, before < limit);
        if (decision.allowed) accepted.push(now);
        const used = isWithinLimit(accepted, now);
        assert.equal(decision.remaining, limit - used);
        assert.ok(used <= limit);
        if (decision.remaining === 0) {
          // There is room after msUntilNext and not earlier.
          assert.ok(isWithinLimit(accepted, now + decision.msUntilNext) < limit);
          assert.equal(isWithinLimit(accepted, now + decision.msUntilNext - 0.125), limit);
        }
        assert.equal(isWithinLimit(accepted, now + decision.msUntilReset), 0);
      }
    }),
    { numRuns: 300 },
  );
});

test('separates organizations and keeps the use when the tier changes', () => {
  const limits = createMemoryLimits([2, 5, 7, 9], () => 0);
  assert.equal(limits.consume('a', 1)!.remaining, 1);
  assert.equal(limits.consume('b', 2)!.remaining, 4);
  assert.equal(limits.consume('a', 1)!.remaining, 0);
  assert.equal(limits.consume('a', 1)!.allowed, false);
  const raised = limits.consume('a', 4)!;
  assert.deepEqual([raised.allowed, raised.limit, raised.remaining], [true, 9, 6]);
  assert.equal(limits.consume('a', 1)!.allowed, false);
});

test('has no limit when set to "off"', () => {
  assert.equal(createMemoryLimits('off').consume('a', 1), undefined);
});
