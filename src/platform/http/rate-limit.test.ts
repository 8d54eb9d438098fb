import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { createRateLimiter } from './rate-limit.ts';

test('allows exactly the limit in every window', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }),
      (limit, gaps) => {
        let at = 0;
        const limiter = createRateLimiter({ limit, windowMs: 1000, now: () => at });
        const granted: number[] = [];
        for (const gap of gaps) {
          at += gap;
          const inWindow = granted.filter((time) => at - time < 1000).length;
          const answer = limiter.consume('k');
          assert.equal(answer.ok, inWindow < limit);
          const newest = answer.ok ? at : granted.at(-1)!;
          assert.deepEqual(answer.state, {
            limit,
            remaining: Math.max(0, limit - inWindow - 1),
            resetAfter: (newest + 1000 - at) / 1000,
          });
          if (answer.ok) granted.push(at);
          else assert.equal(answer.retryAfter, (granted.at(-limit)! + 1000 - at) / 1000);
        }
      },
    ),
  );
});

test('separates windows by key and bounds memory', () => {
  let at = 0;
  const limiter = createRateLimiter({ limit: 1, windowMs: 1000, maxKeys: 3, now: () => at });
  for (const key of ['a', 'b', 'c']) assert.equal(limiter.consume(key).ok, true);
  assert.equal(limiter.consume('a').ok, false);
  at = 10;
  assert.equal(limiter.consume('d').ok, true);
  assert.equal(limiter.consume('b').ok, true, 'b was evicted as the least recently used key');
  assert.equal(limiter.consume('d').ok, false);
});
